/// Keywords that are refused in writing statements: SQLite would accept them, but services could not keep their
/// promise.
enum WriteWords {
  static func refusal(of text: String) -> SQLError? {
    let words = StatementNames.words(in: text).filter { $0.depth == 0 }
    // REPLACE is a function, too.
    let isVerb = { (place: Int) in
      ["INSERT", "UPDATE", "DELETE"].contains(words[place].text)
        || words[place].text == "REPLACE" && words.dropFirst(place + 1).first?.text == "INTO"
    }
    guard let place = words.indices.first(where: isVerb) else { return nil }
    let verb = words[place].text
    let rest = words[(place + 1)...]
    func refuse(_ message: String, _ hint: String, at place: Int?) -> SQLError {
      SQLError(.statement, message, hint: hint, position: place)
    }
    let isUpsert = zip(rest, rest.dropFirst()).contains { $0.text == "ON" && $1.text == "CONFLICT" }
    if verb == "REPLACE" || rest.first?.text == "OR" || isUpsert {
      return refuse(
        "each service handles conflicts in its own way", "write \(verb == "REPLACE" ? "INSERT" : verb) alone",
        at: words[place].place)
    }
    if let word = rest.first(where: { $0.text == "RETURNING" }) {
      return refuse(
        "RETURNING is not possible: nothing is sent while the statement runs", "select the records afterwards",
        at: word.place)
    }
    // FROM is a word of IS DISTINCT FROM, too.
    let from = zip(rest, rest.dropFirst()).first { $0.text != "DISTINCT" && $1.text == "FROM" }
    if verb == "UPDATE", let from {
      return refuse("UPDATE … FROM is not possible over services", "use a subquery in SET", at: from.1.place)
    }
    return nil
  }
}
