# One image for every part: API, worker, beat and migrations differ only by their command (compose.yaml).
FROM python:3.13-slim AS build
WORKDIR /src
RUN python -m venv /opt/emerald
# Dependencies first: they change more seldom than the code, and this layer is kept.
COPY requirements-run.lock .
RUN /opt/emerald/bin/pip install --no-cache-dir --require-hashes -r requirements-run.lock
COPY pyproject.toml setup.py README.md ./
COPY engine engine
COPY service service
COPY workers workers
RUN /opt/emerald/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.13-slim
RUN useradd --system --uid 10001 --create-home --home-dir /var/lib/emerald emerald
COPY --from=build /opt/emerald /opt/emerald
# Each server process counts for itself; there /metrics adds them up. In memory: a restart begins at nought.
ENV PATH=/opt/emerald/bin:$PATH PYTHONUNBUFFERED=1 PROMETHEUS_MULTIPROC_DIR=/dev/shm
WORKDIR /var/lib/emerald
USER emerald
EXPOSE 8000
# For the API, which is the default command; compose.yaml gives the other parts their own.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
# Threads, not processes, carry the many slow connections; the factory reads EMERALD_* from the environment.
# No access log of gunicorn's: the service writes its own, without addresses and tokens.
CMD ["gunicorn", "--bind", "0.0.0.0:8000", "--worker-class", "gthread", "--workers", "2", "--threads", "32", \
     "--worker-tmp-dir", "/dev/shm", "service.cli:wsgi()"]
