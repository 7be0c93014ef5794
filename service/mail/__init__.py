"""Mail: notices in, messages out, and the ways to send them. Pure but for the transports."""
