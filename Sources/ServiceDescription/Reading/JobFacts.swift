import BackendKit

/// The progress of a write that is completed later.
struct JobFacts: Facts {
  let from: SectionNode

  func job() -> Service.Job? {
    let statuses = integers("statuses", 200...299, "statuses that mean that it is not done yet (default: 202)")
    let address = Self(
      section(.jobAddress, at: "statusUrl", "where the status address is (default: Location)", formerly: "at")
    ).jobAddress()
    let state = member("state", "the member with its state (default: the HTTP status)")
    var job = Service.Job(statuses: statuses.isEmpty ? [202] : statuses, at: address, state: state)
    set(&job.pending, texts("pending", "its values while it is running"))
    job.done = texts("done", "its values when it is done") ?? []
    set(&job.failed, texts("failed", "its values when it has failed"))
    job.progress = member("progress", "where its progress is, a number or text, shown unchanged")
    job.message = member("message", "where the error message is")
    job.result = member("result", "where the record, its address or its identifier is when it is done")
    let interval = integer(
      "interval", 1...3_600,
      "the longest time between two checks in seconds, 1 to 3600, if the service gives none")
    set(&job.interval, interval.map { .seconds($0) })
    let patience = integer("timeout", 1...86_400, "the maximum wait in seconds", formerly: "patience")
    set(&job.patience, patience.map { .seconds($0) })
    check(statesOf: job)
    return isThere ? job : nil
  }

  /// Reports a job that would never end, or end in two ways.
  private func check(statesOf job: Service.Job) {
    if job.state != nil, job.done.isEmpty { missing("done", "for example done: [succeeded]") }
    let lists = [("pending", job.pending), ("done", job.done), ("failed", job.failed)]
    if job.state == nil, let (key, _) = lists.first(where: { !$1.isEmpty }) {
      mistake("state is missing, where the response has one of these", at: key, hint: "for example state: status")
    }
    for (place, (key, states)) in lists.enumerated() {
      for (other, theirs) in lists[..<place] {
        guard let both = states.first(where: theirs.contains) else { continue }
        mistake("\"\(both)\" is among the states of \(other), too", at: key)
      }
    }
  }

  func jobAddress() -> Service.Job.Address {
    let header = text("header", "in a header field", .header)
    let member = member("member", "in the document")
    let path = text("path", "a path below the backend's address; `{id}` is the value at `id`", .path)
    let id = self.member("id", "where in the document")
    checkPlaceholders(path?.namesInBraces ?? [], at: "path", ["id"])
    let given = ["header", "member", "path"].filter(has)
    if given.count > 1 { mistake("only one of \(given.joined(separator: " and ")) can be given") }
    return header.map { .header($0) } ?? member.map { .member($0) } ?? path.map { .template($0, id: id ?? ["id"]) }
      ?? .location
  }
}
