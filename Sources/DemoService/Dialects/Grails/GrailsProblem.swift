/// The reasons for which the application refuses a write.
enum GrailsProblem {
  case missingTitle
  case titleTooLong(String)
  case unreadable

  private static let domainClass = "intranet.backend.Announcement"

  /// The body of the 422 in one of the forms of the switch `grails.errors`.
  func json(path: String, address: String, shape: String, language: String?) -> DemoJSON {
    let text = message(language: language)
    let links: DemoJSON = ["self": ["href": .string(address)]]
    let single: DemoJSON = ["message": .string(text), "path": .string(path), "_links": links]
    switch shape {
    case "several":
      let second: DemoJSON = ["message": .string("A second complaint"), "path": .string(path), "_links": links]
      return ["total": 2, "_embedded": ["errors": [single, second]]]
    case "classic":
      return [
        "errors": [
          [
            "object": .string(Self.domainClass), "field": "title", "rejected-value": rejectedValue,
            "message": .string(text),
          ]
        ]
      ]
    default: return single
    }
  }

  private var rejectedValue: DemoJSON {
    if case .titleTooLong(let title) = self { .string(title) } else { .null }
  }

  private func message(language: String?) -> String {
    let language = language?.lowercased() ?? ""
    let subject = "[title]", owner = "[class \(Self.domainClass)]"
    if language.hasPrefix("de") {
      return switch self {
      case .missingTitle: "Das Feld \(subject) der Klasse \(owner) darf nicht leer sein"
      case .titleTooLong(let title):
        "Das Feld \(subject) der Klasse \(owner) hat mit [\(title)] eine Länge außerhalb von [0] bis [255]"
      case .unreadable: "Der Inhalt der Anfrage ist nicht lesbar"
      }
    }
    if language.hasPrefix("es") {
      return switch self {
      case .missingTitle: "La propiedad \(subject) de la clase \(owner) no puede faltar"
      case .titleTooLong(let title):
        "La propiedad \(subject) de la clase \(owner) con valor [\(title)] no cabe entre [0] y [255]"
      case .unreadable: "No se puede leer el contenido de la petición"
      }
    }
    return switch self {
    case .missingTitle: "Property \(subject) of class \(owner) cannot be null"
    case .titleTooLong(let title):
      "Property \(subject) of class \(owner) with value [\(title)] is not of a size between [0] and [255]"
    case .unreadable: "The request body could not be read as JSON"
    }
  }
}
