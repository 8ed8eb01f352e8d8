"""HTTP and sockets: the listener, connections, limits of requests, answers, and refusals."""
