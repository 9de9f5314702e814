import BackendKit

/// An action besides the standard operations.
struct ActionFacts: Facts {
  let from: SectionNode

  func action(_ name: String) -> Service.Action {
    let target: String? = word(
      "appliesTo", [("record", "a record"), ("collection", "the resource")], "what it acts on (default: record)",
      formerly: "of")
    let method = word("method", MethodWords.all, "the method (default: POST)") ?? "POST"
    let path = path("path", "below the record or the resource; `{name}` is the value of an input field")
    let fields = fields("fields", "its input fields").map(\.description)
    checkPlaceholders((path?.segments ?? []).flatMap(\.namesInBraces), at: "path", fields.map(\.name))
    let body: String? = word(
      "body", [("object", "as an object"), ("list", "as a list with one object")], "how that is sent")
    let answersList = flag("returnsList", "whether it returns a list")
    let effects: Choices<RequestEffect> = [
      ("read", "nothing", .read), ("write", "it changes something", .write),
      ("repeatable", "it changes something, and repeating it has no further effect", .repeatableWrite),
    ]
    let declared = choice("effect", effects, "its effect on the data (default: write)") ?? .write
    let note = text("note", "a note for people")
    let effect = declared.counted(method: method, isTrusted: reading.isTrusted)
    let doubt = effect == declared ? nil : "described as a read, but sent by \(method), so it counts as a write"
    let notes = [note, doubt].compactMap(\.self)
    return Service.Action(
      ActionDescription(
        name, of: target == "collection" ? .collection : .record, fields: fields, effect: effect,
        note: notes.isEmpty ? nil : notes.joined(separator: "; ")),
      method: method, path: path?.segments ?? [name], body: body == "list" ? .list : .object, answersList: answersList)
  }
}
