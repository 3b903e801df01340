"""HTTPS servers on loopback ports with the certificates beside this file, for the tests of transports.

Commands come in as lines of JSON and each is answered with one, which bears its "id":

    {"id": "1", "do": "open", "name": "good"}    starts a server: {"id": "1", "port": 40123}
    {"id": "2", "do": "log", "port": "40123"}    what happened there; see Log. The answer waits, up to 10 seconds, until no
                                                 connection is open; a transport that was shut down has none.
    {"id": "3", "do": "await", "port": "40123"}  waits, up to 10 seconds, for a connection: {"id": "3", "connections": 1}
    {"id": "4", "do": "close", "port": "40123"}  stops it: {"id": "4"}

A name is that of a certificate, or "client-required": that of "good", with a client's certificate demanded, or "silent": a
server that accepts connections and never begins a handshake. "open" takes
"maximum" and "minimum" too, versions of TLS ("1.2", "1.3"). Each server has a log of its own, so tests that run at the
same time do not count each other's requests. The process ends when its input does.

By hand, `tls_server.py good expired` opens those two first and prints their ports.

What a path is answered with:

    /                  "secret"
    /close             the same; then the connection ends
    /redirect?to=URL   302 to there
    /echo              the request, head and body
    /big?size=N        N bytes
    /truncated         the first 3 of 100 bytes, then the end of TCP without that of TLS (close_notify)
    /no-length         3 bytes of a body that the end of the connection delimits; again without close_notify
    /no-length/whole   the same with close_notify, so that the body is whole

All ends but those two send close_notify first. HTTP/2 is not offered (no ALPN).
"""

import json
import pathlib
import socket
import ssl
import sys
import threading
import urllib.parse

HERE = pathlib.Path(__file__).parent
VERSIONS = {"1.2": ssl.TLSVersion.TLSv1_2, "1.3": ssl.TLSVersion.TLSv1_3}


class Log:
    """What happened at one server."""

    def __init__(self):
        self.changed = threading.Condition()
        self.open = 0  # Connections that have not ended.
        self.connections = 0  # That were accepted.
        self.handshakes = 0  # That the server finished.
        self.resumed = 0  # Those of them that resumed an earlier TLS session.
        self.bytes = 0  # Of requests, after decryption.
        self.requests = []  # For each its line, its fields, and the number of its connection.

    def add(self, **counts):
        with self.changed:
            for name, count in counts.items():
                setattr(self, name, getattr(self, name) + count)
            self.changed.notify_all()

    def snapshot(self):
        with self.changed:
            return {name: value for name, value in vars(self).items() if name != "changed"}


class Server:
    def __init__(self, name, minimum="1.2", maximum="1.3"):
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.minimum_version = VERSIONS[minimum]
        self.context.maximum_version = VERSIONS[maximum]
        if name == "client-required":
            self.context.verify_mode = ssl.CERT_REQUIRED
            self.context.load_verify_locations(HERE / "client-authority.pem")
        self.is_silent = name == "silent"
        if name in ("client-required", "silent"):
            name = "good"
        self.context.load_cert_chain(HERE / f"{name}.pem")
        self.log = Log()
        self.probes = {}
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, peer = self.listener.accept()
            except OSError:
                return
            probe = self.probes.pop(peer[1], None)
            if probe:
                probe.set()
                connection.close()
                continue
            self.log.add(connections=1, open=1)
            number = self.log.connections
            threading.Thread(target=self.serve, args=(connection, number), daemon=True).start()

    def settle(self):
        """Waits until everything that clients had begun is in the log.

        Connections are accepted in order. So once one of our own has been, those that were made before it have been too.
        """
        accepted = threading.Event()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.probes[probe.getsockname()[1]] = accepted
            probe.connect(("127.0.0.1", self.port))
            accepted.wait(10)
        with self.log.changed:
            self.log.changed.wait_for(lambda: self.log.open == 0, 10)

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def serve(self, connection, number):
        try:
            with self.context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False) as stream:
                if self.is_silent:
                    linger(stream)
                    return
                try:
                    stream.do_handshake()
                except ssl.SSLError:
                    # A client that does not trust the certificate has left; one that is not let in was told why.
                    socket.socket.shutdown(stream, socket.SHUT_WR)
                    linger(stream)
                    return
                self.log.add(handshakes=1, resumed=int(stream.session_reused))
                while self.answer(stream, number):
                    pass
        except OSError:
            pass
        finally:
            self.log.add(open=-1)

    def read(self, stream, count):
        piece = stream.recv(count)
        self.log.add(bytes=len(piece))
        return piece

    def answer(self, stream, number):
        """Answers one request; false if there is to be no other."""
        head = b""
        while b"\r\n\r\n" not in head:
            piece = self.read(stream, 4096)
            if not piece:
                end(stream)
                return False
            head += piece
        head, body = head.split(b"\r\n\r\n", 1)
        lines = head.decode("latin-1").split("\r\n")
        fields = [line.split(": ", 1) for line in lines[1:]]
        length = next((int(value) for name, value in fields if name.lower() == "content-length"), 0)
        while len(body) < length:
            piece = self.read(stream, length - len(body))
            if not piece:
                return False
            body += piece
        with self.log.changed:
            self.log.requests.append({"line": lines[0], "fields": fields, "connection": number})
        target = urllib.parse.urlsplit(lines[0].split(" ")[1])
        query = dict(urllib.parse.parse_qsl(target.query))
        match target.path:
            case "/truncated":
                stream.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
                return False
            case "/no-length":
                stream.sendall(b"HTTP/1.1 200 OK\r\n\r\nabc")
                return False
            case "/no-length/whole":
                stream.sendall(b"HTTP/1.1 200 OK\r\n\r\nabc")
                end(stream)
                return False
            case "/redirect":
                reply(stream, b"", f"302 Found\r\nLocation: {query['to']}")
            case "/echo":
                reply(stream, head + b"\r\n\r\n" + body)
            case "/big":
                reply(stream, b"x" * int(query["size"]))
            case "/close":
                reply(stream, b"secret", "200 OK\r\nConnection: close")
                end(stream)
                return False
            case _:
                reply(stream, b"secret")
        return True


def reply(stream, body, start="200 OK"):
    head = f"HTTP/1.1 {start}\r\nContent-Type: text/plain\r\nContent-Length: {len(body)}\r\n\r\n"
    stream.sendall(head.encode() + body)


def linger(stream):
    """Waits until the client has gone, so that no reset overtakes what it was told."""
    while socket.socket.recv(stream, 4096):
        pass


def end(stream):
    """Sends close_notify, and does not wait for the client's."""
    stream.setblocking(False)
    try:
        stream.unwrap()
    except OSError:
        pass


def main():
    servers = {}
    output = threading.Lock()

    def say(message):
        with output:
            print(json.dumps(message), flush=True)

    def open_server(name, **options):
        server = Server(name, **options)
        servers[server.port] = server
        return server

    def tell_log(identity, server):
        server.settle()
        say({"id": identity, "log": server.log.snapshot()})

    def tell_connections(identity, log):
        with log.changed:
            log.changed.wait_for(lambda: log.connections > 0, 10)
        say({"id": identity, "connections": log.connections})

    def later(work, *arguments):
        threading.Thread(target=work, args=arguments, daemon=True).start()

    if len(sys.argv) > 1:
        say({name: open_server(name).port for name in sys.argv[1:]})
    for line in sys.stdin:
        command = json.loads(line)
        identity, verb = command.pop("id"), command.pop("do")
        match verb:
            case "open":
                say({"id": identity, "port": open_server(**command).port})
            case "log":
                later(tell_log, identity, servers[int(command["port"])])
            case "await":
                later(tell_connections, identity, servers[int(command["port"])].log)
            case "close":
                servers.pop(int(command["port"])).close()
                say({"id": identity})


main()
