/// What `--help` prints: one screen of 24 lines of 80 columns.
enum Help {
    static let text = """
        httpipe [METHOD] URL [options]      An HTTP client: the body goes to stdout.
        METHOD is GET, or POST with a body. A URL without a scheme is https, or http
        on this machine.
          -H 'Name: value'     a header field; as often as you like
          --json TEXT|@FILE    a JSON body, and Accept: application/json
          --body TEXT|@FILE    any body; @- is standard input
          -i                   print status line and header fields first (HEAD does)
          -o FILE              the body into FILE, once whole and acceptable; -: stdout
          --accept LIST        what is acceptable: 200-299,404 (200-299)
          --timeout S          seconds for one attempt, up to its head; or none (60)
          --deadline S         seconds for everything; or none (300)
          --follow WHICH       redirects: all, same-origin, none (all)
          --max-redirects N    how many at most (10)
          --limit-body BYTES   the largest body to take
          --log LEVEL          error, info, verbose, to stderr; no secrets (error)
          --transport NAME     TRANSPORTS
        The body of an error status is printed too. Errors are one line on stderr:
        error: CODE: message. If the reader of a pipe leaves, httpipe ends as if all
        had been read.
        Exit status: 0 acceptable, 3 redirect not followed, 4 status 4xx, 5 status
        5xx, 6 connection, 7 time limit, 8 TLS, 9 usage, 10 other, 130 Ctrl-C.

        """.replacing("TRANSPORTS", with: TransportTable.names.joined(separator: ", "))
}
