/// The values that a request's body binds to the properties of an announcement.
struct GrailsBinding {
  static let formType = "application/x-www-form-urlencoded"

  /// The value bound to a property; ``absent`` leaves it unchanged.
  enum Property: Equatable {
    case absent
    case null
    case text(String)
  }

  var title = Property.absent
  var body = Property.absent
  /// The body is declared as JSON but is not.
  var isMalformed = false

  init(_ request: DemoRequest) {
    switch Self.mediaType(of: request) {
    case nil, "application/json", "text/json": bindJSON(request)
    case Self.formType: bind(Form(request.query) + Form(String(decoding: request.body, as: UTF8.self)))
    default: bind(Form(request.query))
    }
  }

  /// The media type of the body in lowercase, without parameters; nil for none.
  static func mediaType(of request: DemoRequest) -> String? {
    request.header("content-type")?.mediaType
  }

  private mutating func bindJSON(_ request: DemoRequest) {
    let isLatin = request.header("content-type")?.lowercased().contains("iso-8859-1") == true
    let bytes =
      isLatin ? request.body.flatMap { Array(String(Unicode.Scalar($0)).utf8) } : request.body
    guard !bytes.isEmpty else { return }
    guard let value = try? DemoJSON(parsing: bytes) else {
      isMalformed = true
      return
    }
    title = Self.property(value["title"])
    body = Self.property(value["body"])
  }

  private mutating func bind(_ form: Form) {
    title = Self.property(form["title"].map { .string($0) })
    body = Self.property(form["body"].map { .string($0) })
  }

  private static func property(_ value: DemoJSON?) -> Property {
    switch value {
    case nil, .array, .object: .absent
    case .null: .null
    case .bool(let flag): .text(flag ? "true" : "false")
    case .number(let text): .text(text)
    case .string(let text): trimmed(text)
    }
  }

  /// Java's trim removes every character up to the space; an empty result becomes null.
  private static func trimmed(_ text: String) -> Property {
    var scalars = text.unicodeScalars[...]
    while let first = scalars.first, first.value <= 0x20 { scalars.removeFirst() }
    while let last = scalars.last, last.value <= 0x20 { scalars.removeLast() }
    return scalars.isEmpty ? .null : .text(String(scalars))
  }
}
