/// What `--help` prints: one screen of 24 lines of 80 columns.
enum Help {
    static let text = """
        httpipe [METHOD] URL [options]   An HTTP client: the body goes to stdout.
        httpipe pins URL [options]       Prints the verified chain of an https server,
                                         with a pin for each key; sends no request.
        METHOD is GET, or POST with a body. A URL without a scheme is https, or http on
        this machine. Defaults are in parentheses; an option with + can be repeated.
          -H 'Name: value' +  a header field    -i  status and fields first (HEAD does)
          --json TEXT|@FILE   a JSON body       -o FILE  the body, once whole; - stdout
          --body TEXT|@FILE   @- is stdin       --accept LIST  statuses: 200,404 (2xx)
          --timeout S         one attempt (60)  --limit-body BYTES  the largest to take
          --deadline S        everything (300)  --log LEVEL  error, info, verbose
          --follow WHICH      all, same-origin, --metrics    times and sizes to stderr
                              none (all)        --transport  TRANSPORTS
          --max-redirects N   at most (10)      --http1.1    do not offer HTTP/2
          --proxy URL|none    (environment's)   --resolve HOST:PORT:ADDRESS +
          --cacert FILE +     the only roots    --pin HOST=sha256/… +
          --client-cert FILE  PEM, .p12, .pfx   --client-key FILE  PEM; its password is
          --insecure-host H   do not verify H   taken from HTTPIPE_KEY_PASSWORD
        S is seconds, or none. The body of an error status is printed too. Errors are
        one line on stderr, error: CODE: message, and hold no secrets; nor does the log.
        If the reader of a pipe leaves, httpipe ends as if all had been read.
        Exit status: 0 acceptable, 3 redirect not followed, 4 status 4xx, 5 status 5xx,
        6 connection, 7 time limit, 8 TLS, 9 usage, 10 other, 130 Ctrl-C.

        """.replacing("TRANSPORTS", with: TransportTable.names.joined(separator: ", "))
}
