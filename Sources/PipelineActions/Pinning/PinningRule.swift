public import Foundation
public import Pipeline

/// What of a certificate is pinned.
public struct PinningModes: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Its public key, which can outlive it: a renewed certificate for the same key still matches.
    public static let publicKey = PinningModes(rawValue: 1)
    /// The whole certificate, byte by byte: it matches until it is renewed.
    public static let certificate = PinningModes(rawValue: 2)
    /// Both, and both must match.
    public static let both: PinningModes = [.publicKey, .certificate]
}

/// Whether a rule must have a pin to spare.
public enum BackupPin: Sendable, Hashable {
    /// At least two of each kind: one that is not in use, whose key is kept elsewhere, saves an application from being locked
    /// out when the other is lost (RFC 7469, section 2.5).
    case required
    /// One is enough. When that key is lost, no client that has the rule reaches the host again until it is updated.
    case waived
}

/// Some hosts, and what their verified chains must hold.
///
///     try PinningRule("api.example.com", keys: ["sha256/…", "sha256/…"])
///     try PinningRule("**.example.com", certificates: Certificate.list(inFolder: folder), modes: .both)
public struct PinningRule: Sendable, Hashable {
    /// The hosts.
    public let hosts: [HostPattern]
    /// What is pinned.
    public let modes: PinningModes
    /// The pins of keys: those given, and those of the keys of all certificates.
    public let keys: Set<Pin>
    /// The certificates.
    public let certificates: [Certificate]

    /// From when on mismatches are reported and no longer refused; never if `nil`.
    public var expiry: Date?

    /// Whether mismatches are reported and not refused. `false` unless told otherwise.
    public var reportsOnly = false

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - hosts: The hosts, as names, addresses or patterns.
    ///   - keys: Pins of public keys.
    ///   - certificates: Certificates. Their keys are pinned, or they themselves, as `modes` says.
    ///   - modes: What is pinned; public keys unless told otherwise.
    ///   - backup: Whether there must be a pin to spare. There must unless told otherwise.
    ///   - expiry: From when on mismatches are reported and no longer refused; never unless told otherwise.
    /// - Throws: ``/Pipeline/MalformedValue`` if a host is none, a pin or a certificate is none, there is no pin of a mode, or
    ///   none to spare.
    public init(
        _ hosts: HostPattern...,
        keys: Set<Pin> = [],
        certificates: [Certificate] = [],
        modes: PinningModes = .publicKey,
        backup: BackupPin = .required,
        expiry: Date? = nil
    ) throws(MalformedValue) {
        try self.init(
            hosts: hosts,
            keys: keys,
            certificates: certificates,
            modes: modes,
            backup: backup,
            expiry: expiry
        )
    }

    /// Creates a rule for a list of hosts; otherwise like ``init(_:keys:certificates:modes:backup:expiry:)``.
    public init(
        hosts: [HostPattern],
        keys: Set<Pin> = [],
        certificates: [Certificate] = [],
        modes: PinningModes = .publicKey,
        backup: BackupPin = .required,
        expiry: Date? = nil
    ) throws(MalformedValue) {
        self.hosts = try hosts.map { host throws(MalformedValue) in try HostPattern(host.description) }
        self.modes = modes
        self.certificates = certificates
        self.expiry = expiry
        var pins: Set<Pin> = []
        for key in keys { pins.insert(try Pin(key.description)) }
        // This also shows whether they are certificates, where only those themselves are pinned.
        for certificate in certificates {
            let pin = try Pin.publicKey(of: certificate)
            if modes.contains(.publicKey) { pins.insert(pin) }
        }
        self.keys = pins
        try check(backup)
    }

    private func check(_ backup: BackupPin) throws(MalformedValue) {
        let fewest = backup == .required ? 2 : 1
        if hosts.isEmpty { throw malformed("it names no host") }
        if modes.isEmpty { throw malformed("it pins nothing; choose keys, certificates or both") }
        if !modes.contains(.publicKey), !keys.isEmpty {
            throw malformed("it has pins of keys, and pins certificates only")
        }
        if modes.contains(.publicKey), keys.count < fewest { throw tooFew(keys.count, "keys") }
        if modes.contains(.certificate), Set(certificates).count < fewest {
            throw tooFew(Set(certificates).count, "certificates")
        }
    }

    private func tooFew(_ count: Int, _ what: String) -> MalformedValue {
        if count == 0 { return malformed("there are no pins of \(what)") }
        return malformed("there is one pin of \(what) and none to spare; add a backup pin, or waive it")
    }

    private func malformed(_ reason: String) -> MalformedValue {
        MalformedValue(
            kind: "pinning rule",
            name: hosts.map(\.description).joined(separator: ", "),
            reason: reason
        )
    }

    /// The rule as transports understand it.
    var pinRule: PinRule {
        var sets: [Set<Pin>] = []
        if modes.contains(.publicKey) { sets.append(keys) }
        if modes.contains(.certificate) { sets.append(Set(certificates.map { .certificate($0) })) }
        return PinRule(oneOfEach: sets, isEnforced: !reportsOnly, expiry: expiry)
    }
}
