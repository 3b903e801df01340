import Foundation

extension Data {
    /// These bytes cut in every way that matters to what reads them in pieces: not at all, at each place, at each two places,
    /// and at all places; some pieces are empty.
    var cuts: [[Data]] {
        let places = 0...count
        let twice = places.flatMap { one in
            (one...count).map { other in [prefix(one), self[one..<other], suffix(from: other)] }
        }
        return twice + [map { Data([$0]) }]
    }

    /// The bytes of a text.
    init(_ text: String) { self.init(text.utf8) }
}
