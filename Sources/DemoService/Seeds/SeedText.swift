/// Text for generated records: the same number always gives the same text.
///
/// About every tenth contains what breaks careless programs: Chinese, emoji, quotes, markup, commas.
enum SeedText {
  private static let subjects = [
    "Canteen", "Print room", "Badge readers", "Bicycle cellar", "Reading circle", "Lift", "Car park", "Choir",
    "Library",
    "Coffee machine", "Fire drill", "Roof garden", "Post room", "First aid course",
  ]
  private static let events = [
    "closed on Friday", "open until eight", "moved to the second floor", "needs volunteers", "back in service",
    "with new rules", "under repair until May", "asks for your vote", "starts again",
  ]
  private static let awkward = [
    "食堂 open again", "Summer party 🎉 on the roof", "The \"quiet\" room", "It’s the lift’s turn", "Tea, coffee & cake",
    "Größere Küche im Erdgeschoß", "Paths like a/b and a\\b", "👩‍💻 hour for beginners", "<b>not</b> bold, 100 % text",
    "新しい自転車置き場",
  ]
  private static let people = ["ana", "bo", "chen", "dilek", "émile", "fatima", "小明"]

  /// One line of plain text, unique for each number.
  static func title(_ number: Int) -> String {
    if number % 10 == 3 { return "\(awkward[number / 10 % awkward.count]), no. \(number)" }
    return "\(subjects[number % subjects.count]) \(events[number / 3 % events.count]), no. \(number)"
  }

  /// Two or three sentences of plain text.
  static func paragraph(_ number: Int) -> String {
    let first = "This is notice \(number) of the house: \(title(number))."
    let second = "Ask \(person(number)) or \(person(number + 3)) if anything is unclear."
    return number % 4 == 0 ? "\(first) \(second) It takes about \(number % 50 + 5) minutes." : "\(first) \(second)"
  }

  /// A short user name.
  static func person(_ number: Int) -> String { people[number % people.count] }
}
