import BackendClient
import BackendKit

extension LawContext {
  // MARK: Refusals

  /// Makes a call of the uniform client that has to fail with `invalid` before any request is made.
  func expectClientRefusal<Answer: Sendable>(
    _ done: String, of call: (Client) async throws(BackendError) -> Answer
  ) async throws(CheckStop) {
    let (backend, traffic) = try deadEnd()
    let described = DescribedBackend(backend, description)
    let client = Client(name: subject.name, backend: described)
    try await expectFailure("\(done), in the console", [.invalid], effects: [.notSent], of: await call(client))
    try require(
      traffic.count == 0, "\(done), in the console", expected: "no request",
      found: "the request \(traffic.requests.first?.summary ?? "")")
  }

  /// Ends the law as broken unless an error is the refusal of data, and says that nothing was changed.
  func requireRefusal(_ error: BackendError, _ done: String) throws(CheckStop) {
    // A service that hides what is not there hides fields that are not there, too.
    let isHidden = error.code == .forbidden && capabilities.missingStatuses.contains(403)
    let isRefusal = error.code == .invalid || error.code == .unsupported || isHidden
    try require(
      isRefusal && (error.effect == .notSent || error.effect == .rejected), done,
      expected: "success, or the error \"invalid\" or \"unsupported\" with nothing changed",
      found: "the error \(error), effect \"\(error.effect.rawValue)\"")
  }

  /// Ends the law as broken where a record's field has just this value.
  func requireNot(_ value: Value, in field: String, of record: Record, _ done: String) throws(CheckStop) {
    try require(
      !ValueSimilarity.same(value, record.fields[field]), done, expected: "a different value set by the server",
      found: "the value sent")
  }

  // MARK: What is sent

  /// The field that holds the identifier.
  func identifierField() throws(CheckStop) -> String {
    guard let field = resource.identifier.field else {
      throw .notApplicable("the identifier is not among the fields")
    }
    return field
  }

  /// The fields by which a new record chooses its identifier.
  func fields(naming id: RecordID) throws(CheckStop) -> Object {
    let rule = resource.identifier
    guard !rule.parts.isEmpty else { return .only(try identifierField(), value(of: id)) }
    let values = rule.values(of: id) ?? []
    return Object(
      values.map { part in
        let isNumber = resource.field(named: part.field)?.kind == .integer
        return (part.field, isNumber ? Number(part.text).map { .number($0) } ?? .string(part.text) : .string(part.text))
      })
  }

  /// An identifier as a field's value.
  func value(of id: RecordID) -> Value {
    guard resource.identifier.form == .integer, let number = Number(id.text) else { return .string(id.text) }
    return .number(number)
  }

  /// The text fields with a maximum length that is proved, and that length.
  func limitedFields() async throws(CheckStop) -> [(FieldDescription, Int)] {
    try await sandbox.needsWriting()
    let limited = resource.fields.compactMap { field in
      field.isReadOnly || field.likely.contains(.maximumLength) ? nil : field.maximumLength.map { (field, $0) }
    }
    guard !limited.isEmpty else { throw .notApplicable("no text field has a maximum length") }
    return limited
  }

  /// A text of this length for a field, with the mark where there is room for it.
  func text(in field: FieldDescription, length: Int) -> String {
    let mark = length > sandbox.mark.utf16.count ? sandbox.mark : ""
    return mark + String(repeating: "x", count: length - mark.utf16.count)
  }

  /// A value that the server would never give a field that only it sets.
  static func foreignValue(of field: FieldDescription) -> Value {
    switch field.kind {
    case .text, .html, .any: "set by the suite"
    case .integer, .number: 1_234_567_891
    case .boolean: true
    case .date: "1901-02-03T04:05:06Z"
    case .day: "1901-02-03"
    case .object: ["suite": true]
    case .list: ["set by the suite"]
    }
  }

  /// Fields that servers are known to refuse: values of another kind than described, texts beyond the maximum.
  func wrongFields() async throws(CheckStop) -> [Object] {
    try await sandbox.needsWriting()
    let template = try await sandbox.template()
    var wrong: [Object] = []
    for field in resource.fields where field.takesValues && !resource.identifier.isHeld(by: field.name) {
      if field.name == template.markField { continue }
      switch field.kind {
      case .boolean, .integer, .number: wrong.append(.only(field.name, "neither"))
      case .text, .html, .date, .day: wrong.append(.only(field.name, ["a": [1]]))
      case .object, .list: wrong.append(.only(field.name, 1))
      case .any: break
      }
      if !field.values.isEmpty { wrong.append(.only(field.name, "none of them")) }
      if let maximum = field.maximumLength {
        wrong.append(.only(field.name, .string(text(in: field, length: maximum + 1))))
      }
      if field.isRequired { wrong.append(.only(field.name, .null)) }
    }
    return wrong
  }
}

/// A backend whose description is known already; no request is made for it.
struct DescribedBackend: ForwardingBackend {
  let inner: any Backend
  private let description: BackendDescription

  init(_ inner: any Backend, _ description: BackendDescription) {
    self.inner = inner
    self.description = description
  }

  func describe(_ depth: DescriptionDepth) async throws(BackendError) -> BackendDescription { description }
}
