/// The same work done by this package, by the C program and by `URLSession`, in turns.
///
/// What counts are ratios: how much of the C program's speed is left, and how much more that is than what `URLSession` leaves.
struct Contest: Benchmark {
    let name: String
    let measure: Measure
    /// How many rounds count, besides a first that does not.
    let rounds: Int
    let heats: [Heat]
    /// The most memory that this package may hold, in MiB. Without it, peaks are not told.
    var peakBudget: Report.Budget?
    /// What to know about the figures.
    let remark: String

    /// What came of an entrant's turns.
    private struct Standing {
        let value: Double
        let peak: Double
    }

    @concurrent
    func run(_ report: inout Report) async throws {
        let end = try await OtherEnd()
        do {
            let baseline = try await Baseline(in: end.scratch.url)
            var standings = try await standings(at: end, baseline)[...]
            for heat in heats {
                write(heat, standings.prefix(heat.entrants.count), &report)
                standings.removeFirst(heat.entrants.count)
            }
            report.note("\(name): \(remark)")
            if let remark = end.remark { report.note("\(name): \(remark)") }
        } catch {
            await end.stop()
            throw error
        }
        await end.stop()
    }

    /// Takes one turn for the peak of memory, without rivals: so neither a compiler nor libcurl's headers are needed.
    @concurrent
    func check(_ report: inout Report) async throws {
        guard let peakBudget else { return }
        let end = try await OtherEnd()
        do {
            for heat in heats {
                let turn = try await heat.own.contender.takeTurn(heat.own.errand.work(at: end))
                report.write("\(name).\(heat.prefix)peak", turn.peak, "MiB", budget: peakBudget)
            }
        } catch {
            await end.stop()
            throw error
        }
        await end.stop()
    }

    /// Lets everybody have their turns.
    private func standings(at end: OtherEnd, _ baseline: Baseline) async throws -> [Standing] {
        let entrants = heats.flatMap(\.entrants)
        var peaks = entrants.map { _ in 0.0 }
        var turns: [() async throws -> Duration] = []
        for (index, entrant) in entrants.enumerated() {
            let work = try entrant.errand.work(at: end)
            turns.append {
                let turn = try await entrant.contender.takeTurn(work, baseline: baseline)
                peaks[index] = max(peaks[index], turn.peak)
                return turn.time
            }
        }
        let times = try await Rounds(rounds, timed: turns).medians
        return entrants.indices.map {
            Standing(value: measure.value(of: entrants[$0].errand.amount, in: times[$0]), peak: peaks[$0])
        }
    }

    private func write(_ heat: Heat, _ standings: ArraySlice<Standing>, _ report: inout Report) {
        guard let own = standings.first else { return }
        let results = Array(zip(heat.entrants, standings))
        for (entrant, standing) in results {
            report.write("\(name).\(heat.prefix)\(entrant.contender.label)", standing.value, measure.unit)
        }
        for (rival, standing) in results.dropFirst() {
            let figure = "\(name).\(heat.prefix)\(measure.comparison)-to-\(rival.contender.label)"
            report.write(figure, own.value / standing.value, "x")
        }
        guard let peakBudget else { return }
        report.write("\(name).\(heat.prefix)peak", own.peak, "MiB", budget: peakBudget)
        for (rival, standing) in results.dropFirst() {
            report.write("\(name).\(heat.prefix)\(rival.contender.label)-peak", standing.peak, "MiB")
        }
    }
}
