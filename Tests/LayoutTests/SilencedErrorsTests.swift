import ConsoleSupport
import Foundation
import Testing

/// An error is no answer: each `try?` on an asynchronous call is listed here, with the reason why nothing is claimed in its place.
@Suite struct SilencedErrorsTests {
  /// The number of such calls in a file, and the reason why their errors may be ignored.
  private struct Permitted {
    let count: Int
    let reason: String

    init(_ count: Int, _ reason: String) { (self.count, self.reason) = (count, reason) }
  }

  private static let permitted: [String: Permitted] = [
    "BackendKit/BackendClient/Client/Client+ReadAhead.swift": Permitted(
      1, "a read is then not sent ahead; its command reports the error"),
    "BackendKit/BackendClient/Client/Client+Revisions.swift": Permitted(
      1, "the conflict is reported either way; the read adds which fields differ"),
    "BackendKit/BackendClient/Client/Client.swift": Permitted(
      2, "a look for a single record after a list failed: without one the failure of the list is thrown"),
    "BackendKit/BackendClient/Client/Client+Writing.swift": Permitted(
      1, "a record that cannot be read again leaves the response to count"),
    "BackendKit/BackendKit/Engine/Writing/Creation.swift": Permitted(
      3, "a failed read takes nothing from what the response says: the outcome stays as it is without it"),
    "BackendKit/BackendKit/Engine/Reading/RESTBackend+Describing.swift": Permitted(
      1, "what a service says of itself only adds to a description"),
    "BackendKit/BackendKit/Engine/FailureReader.swift": Permitted(
      1, "only a record that was read changes what the failure says"),
    "BackendKit/BackendKit/Engine/Writing/FileFields.swift": Permitted(
      1, "what a record shows of a file that was sent is then not compared"),
    "BackendKit/BackendKit/Engine/RESTBackend.swift": Permitted(1, "a job that is done may show no record"),
    "BackendKit/BackendKit/Engine/Writing/JobWatch.swift": Permitted(
      1, "a state that cannot be read is neither done nor failed"),
    "BackendKit/BackendKit/Engine/Writing/RecordWrite.swift": Permitted(
      1, "a response that leaves out fields is then noted as one"),
    "BackendKit/BackendKit/Engine/Writing/WriteSender.swift": Permitted(
      2, "the error of the step before is thrown"),
    "Console/Commands/Look/ReadAhead.swift": Permitted(
      4, "a read is then not sent ahead; its command reports the error"),
    "Console/Commands/Change/RecordQuestions.swift": Permitted(1, "a value that cannot be found out is not offered"),
    "Console/Commands/Connect/ConformanceCommand.swift": Permitted(
      2, "a remark beside the laws; without it nothing is pointed out"),
    "Console/Targets/CompletionContext.swift": Permitted(
      3, "completes nothing; the command that needs it reports the error"),
    "Console/Journal/Journal.swift": Permitted(1, "the end of a wait, after which outcomes are written"),
    "Console/Execution/CommandContext.swift": Permitted(2, "a suggestion in a hint; without it there is no hint"),
    "Console/Writes/InterruptedWrite.swift": Permitted(1, "the end of a wait, after which the write is cancelled"),
    "Console/Writes/JournaledWrite.swift": Permitted(
      2,
      "the journal then has no image, read as unknown; an owner that is not described has no secret identifier"),
    "Console/Writes/Ledger.swift": Permitted(1, "the outcome of a failed write stays unknown"),
    "Console/Plans/PlanView.swift": Permitted(1, "a backend that cannot be described is shown by what the plan says"),
    "Console/Assistants/AssistantServer.swift": Permitted(1, "the end of a wait, after which the call is cancelled"),
    "SQL/Requests/Errands.swift": Permitted(1, "the end of a wait"),
    "ConsoleOutput/Output/Progress.swift": Permitted(1, "the end of a wait"),
    "Console/Interpreter/Interpreter.swift": Permitted(1, "the end of a wait, after which interruptions are looked at"),
    "Console/Session/Session+Prompt.swift": Permitted(1, "the prompt then shows no version"),
    "Console/Targets/Target.swift": Permitted(2, "a suggestion in a hint; without it the hint names less"),
    "Console/Writes/WriteRun.swift": Permitted(
      1, "what a service made of a value is then not remembered, so that it is sent again"),
    "DemoServer/DemoResponder.swift": Permitted(1, "closes a connection"),
    "Discovery/Trial/Deletion.swift": Permitted(
      1, "without a response the record of the trial is reported as left behind"),
    "HTTPTransport/Exchange/RequestSender.swift": Permitted(
      1, "drains the body of a response that is not used"),
    "HTTPTransport/Exchange/ShownCertificate.swift": Permitted(
      1, "a certificate that cannot be seen is not blamed: the first failure stands"),
  ]

  /// The suite that judges adapters provokes failures: a law judges what it reads afterwards.
  private static let judged = "BackendTesting/BackendConformance/"

  @Test("no error of an asynchronous call is passed over without a reason") func reasons() throws {
    let folder = ConsoleRun.root.appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
    var found: [String: Int] = [:]
    for file in files where file.hasSuffix(".swift") && !file.hasPrefix(Self.judged) {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      let count = text.matches(of: /try\?\s+await\b/).count
      if count > 0 { found[file] = count }
    }
    #expect(found.count > 10, "they are found")
    for (file, count) in found.sorted(by: { $0.key < $1.key }) {
      let permitted = Self.permitted[file]
      #expect(
        count == permitted?.count ?? 0,
        "\(file): let the error through, or say here why nothing is claimed in its place\(permitted.map { " (known: \($0.count), \($0.reason))" } ?? "")"
      )
    }
    #expect(Set(Self.permitted.keys).subtracting(found.keys) == [], "these have none any more")
  }
}
