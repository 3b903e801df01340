/// What `--help` prints: one screen of 24 lines of 80 columns.
enum Help {
    static let text = """
        httpipe [METHOD] URL [options]   GET, or POST with a body; prints the answer.
        httpipe pins URL [options]       Prints a server's verified chain and its pins.
        No scheme: https, or http here. (default), + repeatable, S: seconds or none.
          -H 'Name: value' +  a header field    -i  status and fields first (HEAD does)
          --json TEXT|@FILE   a JSON body       -o FILE  the body, once whole; - stdout
          --body TEXT|@FILE   @- is stdin       --accept LIST  statuses: 200,404 (2xx)
          --timeout S         one attempt (60)  --limit-body BYTES  the largest to take
          --deadline S        everything (300)  --log LEVEL  error, info, verbose
          --log-json          a log of JSON     --metrics    times and sizes to stderr
          --follow WHICH      all, same-origin, none (all)   --max-redirects N    (10)
          --bearer TOKEN      only for this     --basic USER:PASSWORD
          --digest U:P        URL's origin      --cookies FILE  read, sent and kept
          --retry N           N tries more      --retry-all-methods  POST and so on too
          --idempotency-key   a key per call    --curl  print a curl line, send nothing
          --transport TRANSPORTS  (the first)     --http1.1  do not offer HTTP/2
          --proxy URL|none    (environment's)   --resolve HOST:PORT:ADDRESS +
          --cacert FILE +     the only roots    --pin HOST=sha256/… +
          --pin-report-only   refuse nothing    --insecure-host H   do not verify H
          --client-cert FILE  PEM, .p12, .pfx   --client-key FILE  PEM; its password is
                                                taken from HTTPIPE_KEY_PASSWORD
        Errors are a line on stderr, error: CODE: message; no secrets there or in logs.
        If the reader of a pipe leaves, httpipe ends as if all had been read.
        Exit status: 0 acceptable, 3 redirect not followed, 4 status 4xx, 5 status 5xx,
        6 connection, 7 time limit, 8 TLS, 9 usage, 10 other, 130 Ctrl-C.

        """.replacing("TRANSPORTS", with: TransportTable.names.joined(separator: "|"))
}
