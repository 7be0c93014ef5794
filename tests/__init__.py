"""The tests mirror the source: engine, service, api, mail, workers; e2e and architecture stand beside them."""
