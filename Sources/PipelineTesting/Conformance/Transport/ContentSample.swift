import Foundation

/// Bodies in content codings, made once with zlib: the package brings no compressor.
enum ContentSample {
    /// A text of 880 bytes.
    static let plain = Data(
        String(repeating: "the quick brown fox jumps over the lazy dog\n", count: 20).utf8
    )

    /// ``plain`` in gzip.
    static let gzip = decoded(
        "H4sIAAAAAAACAyvJSFUoLM1MzlZIKsovz1NIy69QyCrNLShWyC9LLVIoAUrnJFZVKqTkp3OVjKodVTuqliK1AIHEN8dwAwAA"
    )

    /// ``plain`` in gzip, three times over.
    static let threeTimesGzip = decoded(
        "H4sIAAAAAAACA5Pv5mAAASbmye+fJTAwqqW9nSy3UMoqvfZca2XG3Ev28m8Kq2oPcK7dvEsqUf3L3tJmE4m981a3tGbpVm7aU5F1Xutm"
            + "wOvQy1O2GZnIGdrHHThzgIFBa9dCHQ+gmQCosvxzXAAAAA=="
    )

    /// Ten million zero bytes in gzip: 9,750 bytes, here by value and number of repetitions.
    static let bomb = bombRuns.reduce(into: Data()) { $0.append(Data(repeating: $1.0, count: $1.1)) }

    private static let bombRuns: [(UInt8, Int)] = [
        (31, 1), (139, 1), (8, 1), (0, 5), (2, 1), (3, 1), (236, 1), (193, 1), (1, 2), (0, 3), (128, 1), (144, 1),
        (254, 1), (175, 1), (238, 1), (8, 1), (10, 1), (0, 4094), (128, 1), (217, 1), (131, 1), (3, 1), (1, 1), (0, 4),
        (32, 1), (255, 1), (215, 1), (70, 1), (80, 1), (85, 4095), (105, 1), (15, 1), (14, 1), (72, 1), (0, 4), (4, 1),
        (253, 1), (127, 1), (221, 1), (142, 1), (64, 1), (5, 1), (0, 1498), (110, 1), (2, 1), (203, 1), (165, 1),
        (59, 1),
        (62, 1), (128, 1), (150, 1), (152, 1), (0, 1),
    ]

    private static func decoded(_ base64: String) -> Data {
        guard let data = Data(base64Encoded: base64) else { preconditionFailure("the sample is not Base64") }
        return data
    }
}
