/// A part of this package against the C program and `URLSession`, who do the same work.
struct Heat {
    /// A contender with what it is asked to do.
    struct Entrant {
        let contender: Contender
        let errand: Errand
    }

    /// How the figures of the heat begin; nothing unless a contest has several.
    let prefix: String

    /// The part of this package.
    let own: Entrant

    /// Who else takes part.
    let rivals: [Entrant]

    /// - Parameters:
    ///   - prefix: How the figures of the heat begin.
    ///   - own: The part of this package.
    ///   - errand: What it is to do.
    ///   - baseline: What the C program is to do, if not the same.
    ///   - session: What `URLSession` is to do, which is a shorter piece of the same; it takes no part if `nil`.
    init(
        prefix: String = "",
        _ own: Contender,
        _ errand: Errand,
        baseline: Errand? = nil,
        session: Errand? = nil
    ) {
        self.prefix = prefix
        self.own = Entrant(contender: own, errand: errand)
        let program = Entrant(contender: .baseline, errand: baseline ?? errand)
        rivals = [program] + (session.map { [Entrant(contender: .session, errand: $0)] } ?? [])
    }

    /// All who take part, in the order of their turns.
    var entrants: [Entrant] { [own] + rivals }
}
