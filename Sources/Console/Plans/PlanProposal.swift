import BackendKit

/// The part of a plan's header that marks it as made by an assistant, in the assistant's own words.
struct PlanProposal: Sendable {
  /// The maximum length of its texts in characters.
  static let longest = (name: 80, purpose: 200)

  /// The name that the client gives itself.
  let author: String
  /// The reason for the plan.
  let purpose: String

  init(by author: String, for purpose: String) {
    self.author = String(author.prefix(Self.longest.name))
    self.purpose = String(purpose.prefix(Self.longest.purpose))
  }

  init?(_ line: Object) {
    guard let author = line["proposedBy"]?.text else { return nil }
    self.init(by: author, for: line["for"]?.text ?? "")
  }

  var facts: [(String, any Fact)] { [("proposedBy", author), ("for", purpose)] }
}
