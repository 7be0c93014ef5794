"""Mail that comes in: stored once by whichever door it came, then read, carried out and answered once.

``receive`` is for the doors, ``read_mail`` for the task that the outbox row ``inbound.read`` calls for. A mail goes

receive -> read -> who (whose is it?) -> run (its lines, all or nothing) -> the answer, a row of the outbox
                   reports, signup, loops: what is not a player's everyday mail
"""

from service.usecases.inbound.read import read_mail
from service.usecases.inbound.receive import Received, Via, forget, receive

__all__ = ["Received", "Via", "forget", "read_mail", "receive"]
