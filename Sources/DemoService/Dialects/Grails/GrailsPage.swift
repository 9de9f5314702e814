/// The slice and the order that a list request asks for.
struct GrailsPage {
  /// The number of rows; negative is no limit.
  let max: Int
  let offset: Int
  /// SQL over the columns of a document.
  let order: String

  /// Nil where the application fails with 500: an offset that is no number, a sort by no property.
  init?(_ parameters: Form, settings: Settings) {
    let asked = Self.integer(parameters["max"]) ?? 0
    max = Swift.min(asked == 0 ? 10 : asked, 100)
    if let text = parameters["offset"], !text.isEmpty {
      guard let value = Self.integer(text) else { return nil }
      offset = Swift.max(value, 0)
    } else {
      offset = 0
    }
    let direction = parameters["order"]?.lowercased() == "desc" ? "DESC" : "ASC"
    switch parameters["sort"] {
    case nil: order = Self.unordered(settings)
    case "id": order = "CAST(id AS INTEGER) \(direction)"
    case "version": order = "position"
    case "title": order = "fold_case(json ->> '$.title') \(direction), position"
    case "body": order = "fold_case(json ->> '$.body') \(direction), position"
    case let name? where name.contains("."): order = Self.unordered(settings)
    default: return nil
    }
  }

  /// Shuffling multiplies by a number without a common factor with the modulus, so it is the same at each request.
  private static func unordered(_ settings: Settings) -> String {
    settings["grails.order"] == "shuffled" ? "(position * 7919 + 13) % 10007, position" : "position"
  }

  /// As Java reads a 32-bit integer.
  private static func integer(_ text: String?) -> Int? {
    text.flatMap { Int32($0) }.map { Int($0) }
  }
}
