/// The requested slice and order of a list.
struct GrailsPage {
  /// The number of rows; negative means no limit.
  let max: Int
  let offset: Int
  /// SQL over the columns of a document.
  let order: String

  /// Nil if the application fails with 500: an offset that is not a number, or a sort by an unknown property.
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

  /// Shuffling multiplies by a number coprime to the modulus, so it is the same at each request.
  private static func unordered(_ settings: Settings) -> String {
    settings["grails.order"] == "shuffled" ? "(position * 7919 + 13) % 10007, position" : "position"
  }

  /// Parses a 32-bit integer like Java.
  private static func integer(_ text: String?) -> Int? {
    text.flatMap { Int32($0) }.map { Int($0) }
  }
}
