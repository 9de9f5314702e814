import BackendKit

extension CallRow.Step {
  /// Pairs of lines for the differences between the call and the row.
  func differences(_ found: Result<String, BackendError>, _ requests: [HTTPRequest]) -> [String] {
    let differences = outcome(found) + sent(requests)
    return differences.map { $0.count > 600 ? $0.prefix(600) + "…" : $0 }
  }

  private func pair(_ expected: String, _ found: String) -> [String] {
    ["expected: \(expected)", "found:    \(found)"]
  }

  private func outcome(_ found: Result<String, BackendError>) -> [String] {
    let (failure, outcome) = (items("!").first, items("=").first)
    switch found {
    case .success(let text):
      if let failure { return pair("failure \(failure)", text) }
      return outcome.map { Outcome.matches(text, $0) ? [] : pair($0, text) } ?? []
    case .failure(let error):
      let text = Outcome.text(error)
      guard let failure else { return pair(outcome ?? "no failure", "failure \(text)") }
      let isWhole = failure.contains(":") || failure.contains(text: "...")
      return Outcome.matches(text, isWhole ? failure : failure + ":...") ? [] : pair(failure, text)
    }
  }

  private func sent(_ requests: [HTTPRequest]) -> [String] {
    var wanted: [String] = []
    var differences: [String] = []
    for item in items(">") {
      guard let (name, value) = Self.field(item) else {
        wanted.append(item)
        continue
      }
      let request = wanted.isEmpty ? nil : requests.dropFirst(wanted.count - 1).first
      let header = request?.headers.first { $0.0.lowercased() == name.lowercased() }?.1
      let found = name == "effect" ? request?.effect.rawValue : header
      if wanted.isEmpty || found ?? "" != value { differences += pair("\(name): \(value)", "\(name): \(found ?? "")") }
    }
    let sent = requests.map { $0.summary + ($0.body.map { " " + String(decoding: $0, as: UTF8.self) } ?? "") }
    let responses = items("<").filter { Self.field($0) == nil }.count
    // Without listed requests, the call may send any if there are responses, otherwise none.
    let isFree = wanted.isEmpty && responses > 0
    if !isFree, sent.count != wanted.count || !zip(sent, wanted).allSatisfy(Outcome.matches) {
      differences += pair(wanted.joined(separator: ", "), sent.joined(separator: ", "))
    }
    if responses > requests.count {
      differences.append("\(responses) responses were written for \(requests.count) requests")
    }
    return differences
  }
}
