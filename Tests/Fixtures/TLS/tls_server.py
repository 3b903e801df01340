"""HTTPS servers on loopback ports, one for each certificate beside this file, for the tests of transports.

Prints one line of JSON that maps the name of each certificate to its port, and ends when its input does.
Every request is answered with "secret".
"""

import json
import pathlib
import socket
import ssl
import sys
import threading

HERE = pathlib.Path(__file__).parent
NAMES = ["private-authority", "self-signed"]


def answer(connection, context):
    try:
        with context.wrap_socket(connection, server_side=True) as stream:
            while True:
                head = b""
                while b"\r\n\r\n" not in head:
                    piece = stream.recv(4096)
                    if not piece:
                        return
                    head += piece
                stream.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret")
    except OSError:
        pass  # A client that does not trust the certificate leaves in the middle of the handshake.


def serve(listener, context):
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=answer, args=(connection, context), daemon=True).start()


def main():
    ports = {}
    for name in NAMES:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(HERE / f"{name}.pem")
        listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        ports[name] = listener.getsockname()[1]
        threading.Thread(target=serve, args=(listener, context), daemon=True).start()
    print(json.dumps(ports), flush=True)
    sys.stdin.read()


main()
