"""Mail that comes in: stored once by whichever door it came, then read, carried out and answered once."""

from service.usecases.inbound.receive import Received, Via, forget, receive

__all__ = ["Received", "Via", "forget", "receive"]
