import BackendKit

/// The words of refusals about a field: `must be at most 20 characters`, `is not one of a, b`.
extension TextForm {
  /// Takes the form that a refusal asks for.
  mutating func learn(_ sentence: String) {
    let words = sentence.lowercased()
    func says(_ texts: String...) -> Bool { texts.contains { words.contains(text: $0) } }
    learnLength(words)
    if let pattern = Self.pattern(in: sentence).flatMap({ TextPattern($0) }) { return patterns.append(pattern) }
    if says("email", "e-mail") { format = "email" }
    if says("valid url", "valid uri", "not a url", "not a uri") { format = "uri" }
    if says("uuid") { format = "uuid" }
    if says("ipv4", "ip address") { format = "ipv4" }
    if says("valid date", "date format", "not a date") { format = says("time") ? "date-time" : "date" }
    guard !says("hyphen", "dash", "underscore") else { return }
    let characters =
      if says("alphanumeric", "letters and numbers", "letters and digits") {
        "^[A-Za-z0-9]+$"
      } else if says("only digits", "digits only", "must be numeric", "only numbers") {
        "^[0-9]+$"
      } else if says("must be uppercase", "must be in uppercase", "only uppercase") {
        "^[^a-z]+$"
      } else {
        ""
      }
    if !characters.isEmpty, let pattern = TextPattern(characters) { patterns.append(pattern) }
  }

  private mutating func learnLength(_ sentence: String) {
    let words = sentence.split { !$0.isLetter && !$0.isNumber && $0 != "'" }.map(String.init)
    let measures = ["char", "long", "length", "size", "letters"]
    guard words.contains(where: { word in measures.contains { word.hasPrefix($0) } }) else { return }
    let numbers = words.enumerated().compactMap { place, word in Int(word).map { (place, $0) } }
    if let (place, least) = numbers.first, words[..<place].contains("between"), numbers.count > 1 {
      (minimum, maximum) = (least, numbers[1].1)
      return
    }
    var start = 0
    for (place, number) in numbers {
      let before = words[start..<place].map { "\($0) " }.joined()
      start = place + 1
      let after = words[(place + 1)...].prefix(4).joined(separator: " ")
      func says(_ texts: String...) -> Bool { texts.contains { before.contains(text: $0) } }
      let isDenied = says("not ", "no ", "n't ", "cannot ")
      if says("exactly") {
        (minimum, maximum) = (number, number)
      } else if says("at least", "minimum", "min ") || after.contains(text: "or longer")
        || after.contains(text: "or more")
      {
        minimum = number
      } else if says("at most", "maximum", "max ", "up to", "exceed") || after.contains(text: "or fewer")
        || after.contains(text: "or less")
      {
        maximum = number
      } else if says("longer than", "more than", "greater than") {
        if isDenied { maximum = number } else { minimum = number }
      } else if says("shorter than", "fewer than", "less than") {
        if isDenied { minimum = number } else { maximum = number }
      }
    }
  }

  /// The regular expression in a sentence: from `^` to `$`.
  private static func pattern(in sentence: String) -> String? {
    guard let start = sentence.firstIndex(of: "^"), let end = sentence.lastIndex(of: "$"), start < end else {
      return nil
    }
    return String(sentence[start...end])
  }

  /// The values that a refusal permits; empty if it lists none.
  static func choices(in sentence: String) -> [String] {
    let starts = [
      "one of", "allowed values", "allowed values are", "valid values are", "permitted values", "valid choices are",
      "valid options are", "should be '", "should be \"", "must be '", "must be \"",
    ]
    let words = sentence.lowercased()
    let places = starts.compactMap { start in
      words.firstRange(ofText: start).map { isQuote(start.last) ? words.index(before: $0.upperBound) : $0.upperBound }
    }
    // The values keep their case, unless lowercasing changes the length.
    guard let place = places.max(), words.utf8.count == sentence.utf8.count else { return [] }
    let offset = words.utf8.distance(from: words.startIndex, to: place)
    let rest = String(decoding: sentence.utf8.dropFirst(offset), as: UTF8.self)
    for quote in quotes {
      let parts = rest.split(separator: quote, omittingEmptySubsequences: false)
      let quoted = parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
      if !quoted.isEmpty, parts.count % 2 == 1 { return quoted }
    }
    var list = String(rest.drop { " :=([{".contains($0) }.prefix { !")]};\n".contains($0) })
    for start in ["the following: ", "the following values: "] where list.hasPrefix(start) {
      list.removeFirst(start.count)
    }
    let values = list.replacing(text: " or ", with: ",").replacing(text: " and ", with: ",")
      .split { ",|".contains($0) }.map(trimmed).filter { !$0.isEmpty }
    let areWords = values.allSatisfy { value in value.count <= 40 && value.count { $0 == " " } < 2 }
    return values.count > 1 && areWords ? values : []
  }

  private static let quotes: [Character] = ["'", "\"", "`"]

  private static func isQuote(_ character: Character?) -> Bool { character.map(quotes.contains) == true }

  private static func trimmed(_ text: Substring) -> String {
    var rest = text.drop { " .".contains($0) }
    while let last = rest.last, " .".contains(last) { rest.removeLast() }
    return String(rest)
  }
}
