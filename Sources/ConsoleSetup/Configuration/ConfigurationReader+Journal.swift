import BackendKit

extension ConfigurationReader {
  func journal(_ value: LocatedValue, _ path: [String]) throws(ConfigurationError) -> JournalPolicy {
    let text = try text(value, path)
    guard let policy = JournalPolicy(text) else {
      throw error(
        value, path, "invalid journal value \"\(text)\"",
        hint: "it is off, on, full, required, or \"full, required\"")
    }
    return policy
  }

  func journalKeep(_ value: LocatedValue, _ path: [String]) throws(ConfigurationError) -> JournalKeep {
    var keep = JournalKeep()
    for member in try members(value, path, known: ["days", "megabytes"]) {
      guard let count = member.value.value.integer, (1...1_000_000).contains(count) else {
        throw error(member.value, path + [member.name], "expected a whole number from 1 to 1000000", hint: nil)
      }
      if member.name == "days" { keep.days = count } else { keep.megabytes = count }
    }
    return keep
  }
}
