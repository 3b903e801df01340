/// What a value encodes as before its fields have their full names.
final class FormTree {
    enum Content {
        case absent
        case text(String)
        case boolean(Bool)
        case list([FormTree])
        case fields([(name: String, value: FormTree)])
    }

    var content = Content.absent

    var isPresent: Bool { if case .absent = content { false } else { true } }

    /// How many items the list has; none as long as it is no list.
    var itemCount: Int { if case .list(let items) = content { items.count } else { 0 } }

    /// Makes it a list, if it is nothing yet.
    func becomeList() { if !isPresent { content = .list([]) } }

    /// Makes it a set of fields, if it is nothing yet.
    func becomeFields() { if !isPresent { content = .fields([]) } }

    /// Adds an item at the end of the list.
    func addItem() -> FormTree {
        guard case .list(var items) = content else { preconditionFailure("a list was begun before") }
        let item = FormTree()
        content = .absent  // So that the list is changed where it is, not in a copy.
        items.append(item)
        content = .list(items)
        return item
    }

    /// Adds a field at the end. A name that was there before comes once more.
    func addField(_ name: String) -> FormTree {
        guard case .fields(var fields) = content else { preconditionFailure("the fields were begun before") }
        let field = FormTree()
        content = .absent  // So that the fields are changed where they are, not in a copy.
        fields.append((name, field))
        content = .fields(fields)
        return field
    }

    /// Gives fields without order one.
    func sortFields() {
        if case .fields(let fields) = content { content = .fields(fields.sorted { $0.name < $1.name }) }
    }
}
