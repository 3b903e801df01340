import Foundation

@testable import Pipeline

/// URLs, hosts, and the certificates of hosts.
enum AddressChecks {
    private static let bases = [
        "https://api.example.com", "https://api.example.com/api/v1/?k=1#f", "http://[::1]:8080/a%2Fb",
        "http://127.0.0.1/",
    ].compactMap { URL(string: $0) }

    static func paths(_ segments: [String]) throws {
        for base in bases {
            if let url = try? base.appending(segments: segments) {
                try requireEqual(Origin(url), Origin(base), "segments do not lead to another host")
                let path = url.path(percentEncoded: true).utf8
                let added = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                    .suffix(segments.count)
                try requireEqual(
                    added.map { String(decoding: $0, as: UTF8.self).removingPercentEncoding.map { Array($0.utf8) } },
                    segments.map { Array($0.utf8) },
                    "segments arrive as they are"
                )
                try requireEqual(url.query, base.query, "the query stays")
                try requireEqual(url.fragment, base.fragment, "the fragment stays")
            }
            let path = segments.joined(separator: "/")
            if let url = try? base.joining(path) {
                try requireEqual(Origin(url), Origin(base), "a path does not lead to another host")
                try require(!url.path.utf8.elementsEqual("..".utf8), "a path does not lead up")
            }
        }
    }

    static func queries(_ texts: [String]) throws {
        var query = Query()
        var pairs: [[[UInt8]]] = []
        for (place, text) in texts.enumerated() {
            let next = place + 1 < texts.count ? texts[place + 1] : ""
            query.append(text, next)
            pairs.append([Array(text.utf8), Array(next.utf8)])
        }
        try requireEqual(decoded(query.encoded), pairs, "items arrive as they are")
        try requireEqual(
            decoded(query.encoded.replacing("+", with: " ")),
            pairs,
            "a server that takes a plus for a space reads the same"
        )
        for base in bases {
            let url = base.appending(query: query)
            try requireEqual(Origin(url), Origin(base), "a query does not lead to another host")
            try requireEqual(url.fragment, base.fragment, "the fragment stays")
            try require((url.query(percentEncoded: true) ?? "").hasSuffix(query.encoded), "the query is added")
        }
    }

    /// Items as a strict server reads them.
    private static func decoded(_ query: String) -> [[[UInt8]]] {
        query.isEmpty
            ? []
            : query.split(separator: "&", omittingEmptySubsequences: false).map { item in
                item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    .map { Array(($0.removingPercentEncoding ?? "?").utf8) }
            }
    }

    static func hosts(_ texts: [String]) throws {
        let host = texts.last ?? ""
        for text in texts {
            if let origin = Origin(text) {
                try requireEqual(Origin(origin.description), origin, "an origin that is written is read the same")
            }
            if let pin = try? Pin(text) { try requireEqual(try Pin(pin.description), pin, "so is a pin") }
            guard let pattern = try? HostPattern(text) else { continue }
            // An escaped quotation mark is a sign that a host can have and a text cannot.
            if let again = try? HostPattern(pattern.description) { try requireEqual(again, pattern, "so is a pattern") }
            guard let name = HostPattern.host(host) else { continue }
            switch pattern.kind {
            case .exact(let other):
                try require(HostPattern.host(other) == nil || pattern.matches(other), "a host matches itself")
                try requireEqual(pattern.matches(host), name == other, "no host matches another")
            case .oneLabel(let below), .anyDepth(let below):
                try require(!pattern.matches(below), "a star stands for a label")
                try require(!pattern.matches(host) || name.hasSuffix(".\(below)"), "whole labels are compared")
            case .malformed:
                throw Broken(description: "a malformed pattern is refused")
            }
        }
    }

    static func certificates(_ data: Data) throws {
        if let key = try? Certificate(der: data).publicKey() {
            try require(data.range(of: key) != nil, "a key is a part of its certificate")
        }
        guard let list = try? Certificate.list(pem: String(decoding: data, as: UTF8.self)) else { return }
        try require(!list.isEmpty && list.allSatisfy { !$0.der.isEmpty }, "a list holds certificates")
        let written = list.map { certificate in
            "-----BEGIN CERTIFICATE-----\n\(certificate.der.base64EncodedString())\n-----END CERTIFICATE-----\n"
        }
        try requireEqual(
            try Certificate.list(pem: written.joined()),
            list,
            "certificates that are written are read the same"
        )
    }
}
