/// What `--help` prints: one screen of 24 lines of 80 columns.
enum Help {
    static let text = """
        httpipe [METHOD] URL [options]   GET, POST with a body, PUT with a file
        httpipe pins URL [options]       prints a server's verified chain and its pins
        No scheme: https, or http here. (default), + repeatable, S: seconds or none.
          -H 'Name: value' +  a header field    --query K=V +  an item of the query
          --json TEXT|@FILE   a JSON body       --body TEXT|@FILE  any; @- is stdin
          --form K=V +        a form            --upload FILE  sends it as the body
          --multipart K=V|K=@FILE[;type=T] +    -i  status and fields, as HEAD does
          -o FILE  the body, once whole         --download [DIR|FILE]  --resume  it
          --lines  --sse  as they come          --progress  a bar on a terminal
          --accept LIST  statuses: 200,404      --limit-body BYTES  the largest to take
          --timeout S  one attempt (60)         --deadline S  everything (300)
          --follow all|same-origin|none (all)   --max-redirects N  (10)
          --bearer TOKEN  --basic U:P  --digest U:P   only for this URL's origin
          --cookies FILE  read, sent and kept   --idempotency-key  a key per call
          --retry N  more tries, of any method with --retry-all-methods
          --log error|info|verbose  --log-json  --metrics  times and sizes to stderr
          --curl  print it, send nothing        --http1.1  do not offer HTTP/2
          --transport TRANSPORTS (the first)    --resolve HOST:PORT:ADDRESS +
          --proxy URL|none (environment's)      --pin HOST=sha256/… +
          --cacert FILE +  the only roots       --pin-report-only  refuse nothing
          --client-cert FILE  PEM, .p12, .pfx   --insecure-host H  do not verify H
          --client-key FILE   PEM; HTTPIPE_KEY_PASSWORD holds its password
        Exit status: 0 acceptable, 3 redirect not followed, 4 status 4xx, 5 status 5xx,
        6 connection, 7 time limit, 8 TLS, 9 usage, 10 other, 130 Ctrl-C.

        """.replacing("TRANSPORTS", with: TransportTable.names.joined(separator: "|"))
}
