import Pipeline

/// As many actions as an app may have. Three of them set a header field.
enum FiveActions {
    static let all: [any Action] = [HeaderAction(1), NoopAction(), HeaderAction(2), NoopAction(), HeaderAction(3)]
}
