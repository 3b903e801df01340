"""WebSocket servers that nobody here wrote, on free ports of 127.0.0.1, for Scripts/interop-websockets.

    server.py LIBRARY CERTIFICATE KEY    LIBRARY is "websockets" or "wsproto"

It prints its ports as JSON, {"plain": 40123, "tls": 40124}, and serves until it is killed. What a path does:

    /echo                  sends back what comes, as it is
    /fragments?seed=N      sends 200 messages in fragments of any size, pings between them; see messages()
    /count?to=N            sends the numbers below N, a text each
    /flood?blocks=N        sends N messages of 64 KiB, each filled with its number
    /slow                  reads a message now and then, 4 ms apart, and tells the size of each
    /ping                  sends pings, and says "pong" for each pong
    /close?code=N&reason=T closes so
    /end, /reset           ends the connection after the first message, without a close
    /refuse                answers 403 with a body

The subprotocols "second" and "third" are spoken.
"""

import json
import random
import socket
import ssl
import struct
import sys
import threading
import time
import urllib.parse

SUBPROTOCOLS = ["second", "third"]


def messages(seed):
    """What /fragments sends: the tests make the same with the same generator, one of Lehmer's."""
    state = seed

    def draw(limit):
        nonlocal state
        state = state * 48271 % 2147483647
        return state % limit

    for number in range(200):
        text = f"€{number} " * draw(300)
        yield text if draw(2) else text.encode(), 1 + draw(50)


def serve_path(path, end):
    """Does what a path says, at one end of a connection."""
    url = urllib.parse.urlsplit(path)
    query = dict(urllib.parse.parse_qsl(url.query))
    if url.path == "/echo":
        while (message := end.receive()) is not None:
            end.send(message)
    elif url.path == "/fragments":
        for number, (message, size) in enumerate(messages(int(query["seed"]))):
            pieces = [message[start : start + size] for start in range(0, len(message), size)] or [message]
            end.send_fragments(pieces)
            if random.random() < 0.3:
                end.ping(f"between {number}".encode())
    elif url.path == "/count":
        for number in range(int(query["to"])):
            end.send(str(number))
    elif url.path == "/flood":
        for number in range(int(query["blocks"])):
            end.send(bytes([number % 251]) * 65536)
    elif url.path == "/slow":
        while (message := end.receive()) is not None:
            end.send(str(len(message)))
            time.sleep(0.004)
    elif url.path == "/ping":
        for number in range(3):
            end.ping(f"ping {number}".encode(), waits=True)
            end.send("pong")
    elif url.path == "/close":
        end.close(int(query["code"]), query.get("reason", ""))
    elif url.path in ("/end", "/reset"):
        end.receive()
        end.cut(resets=url.path == "/reset")


def cut(connection, resets):
    if resets:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    connection.close()


# --- websockets


def run_websockets(context):
    import websockets.exceptions
    import websockets.sync.server

    class End:
        def __init__(self, connection):
            self.connection = connection

        def receive(self):
            try:
                return self.connection.recv()
            except websockets.exceptions.ConnectionClosed:
                return None

        def send(self, message):
            self.connection.send(message)

        def send_fragments(self, pieces):
            self.connection.send(pieces)

        def ping(self, payload, waits=False):
            pong = self.connection.ping(payload)
            if waits:
                pong.wait()

        def close(self, code, reason):
            self.connection.close(code, reason)

        def cut(self, resets):
            cut(self.connection.socket, resets)

    def handle(connection):
        try:
            serve_path(connection.request.path, End(connection))
        except websockets.exceptions.ConnectionClosed:
            pass

    def process(connection, request):
        if request.path == "/refuse":
            return connection.respond(403, "not today\n")

    server = websockets.sync.server.serve(
        handle,
        "127.0.0.1",
        0,
        ssl=context,
        max_size=None,
        subprotocols=SUBPROTOCOLS,
        select_subprotocol=lambda _, offered: next((name for name in SUBPROTOCOLS if name in offered), None),
        process_request=process,
        ping_interval=None,
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.socket.getsockname()[1]


# --- wsproto


class Gone(Exception):
    """The client has closed, or its connection has ended."""


class WSProtoEnd:
    def __init__(self, connection):
        import wsproto
        import wsproto.events

        self.events = wsproto.events
        self.connection = connection
        self.protocol = wsproto.WSConnection(wsproto.ConnectionType.SERVER)
        self.queue = []
        self.partial = []

    def write(self, *events):
        for event in events:
            self.connection.sendall(self.protocol.send(event))

    def next_event(self):
        while not self.queue:
            data = self.connection.recv(65536)
            self.protocol.receive_data(data or None)
            self.queue = list(self.protocol.events())
        event = self.queue.pop(0)
        if isinstance(event, self.events.Ping):
            self.write(event.response())
        elif isinstance(event, self.events.CloseConnection):
            if self.protocol.state.name == "REMOTE_CLOSING":
                self.write(event.response())
            raise Gone
        return event

    def accept(self):
        request = self.next_event()
        if request.target == "/refuse":
            self.write(
                self.events.RejectConnection(status_code=403, headers=[(b"content-length", b"10")], has_body=True),
                self.events.RejectData(data=b"not today\n"),
            )
            return None
        chosen = next((name for name in SUBPROTOCOLS if name in request.subprotocols), None)
        self.write(self.events.AcceptConnection(subprotocol=chosen))
        return request.target

    def receive(self):
        try:
            while True:
                event = self.next_event()
                if isinstance(event, self.events.Message):
                    self.partial.append(event.data)
                    if event.message_finished:
                        whole = self.partial
                        self.partial = []
                        return ("" if isinstance(event, self.events.TextMessage) else b"").join(whole)
        except Gone:
            return None

    def send(self, message):
        self.send_fragments([message])

    def send_fragments(self, pieces):
        kind = self.events.TextMessage if isinstance(pieces[0], str) else self.events.BytesMessage
        for index, piece in enumerate(pieces):
            self.write(kind(data=piece, message_finished=index == len(pieces) - 1))

    def ping(self, payload, waits=False):
        self.write(self.events.Ping(payload=payload))
        while waits:
            event = self.next_event()
            if isinstance(event, self.events.Pong) and bytes(event.payload) == payload:
                return

    def close(self, code, reason):
        if self.protocol.state.name != "OPEN":
            return
        self.write(self.events.CloseConnection(code=code, reason=reason))
        while True:
            self.next_event()

    def cut(self, resets):
        cut(self.connection, resets)


def run_wsproto(context):
    listener = socket.create_server(("127.0.0.1", 0), backlog=256)

    def handle(connection):
        try:
            if context:
                connection = context.wrap_socket(connection, server_side=True)
            end = WSProtoEnd(connection)
            path = end.accept()
            if path is not None:
                serve_path(path, end)
                end.close(1000, "")
        except (Gone, OSError):
            pass
        finally:
            connection.close()

    def accept():
        while True:
            connection, _ = listener.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=handle, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1]


def main():
    library, certificate, key = sys.argv[1:]
    run = {"websockets": run_websockets, "wsproto": run_wsproto}[library]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    print(json.dumps({"plain": run(None), "tls": run(context)}), flush=True)
    threading.Event().wait()


main()
