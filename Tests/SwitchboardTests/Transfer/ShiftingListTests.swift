import ConsoleSupport
import Testing

/// Transfers of lists that shift between their pages while they are read, so that a record is passed over although the total stays.
@Suite("Lists that shift while they are read") struct ShiftingListTests {
  private let pages: PagedService

  init() throws { pages = try PagedService() }

  @Test(
    "what a second reading shows is neither deleted nor created again",
    arguments: [("a", "sync a b --key code --delete --yes", 1), ("b", "sync a b --key code", 0)])
  func passedOver(list: String, command: String, deleted: Int) async throws {
    pages.shift(list)
    let stopped = try await pages.run(command).failed(5, saying: "\(list)/things changed while it was being read: ")
    #expect(stopped.errors.contains("key c3") && stopped.errors.contains("run the same command again"))
    #expect(pages.writes.isEmpty)
    try await pages.run(command).succeeded()
    #expect(pages.writes.count == 1 + deleted, "\(pages.writes)")
    #expect(pages.codes("b").count { $0 == "c3" } == 1)
  }

  @Test("a list is read once if nothing is absent, and if its description calls it stable") func once() async throws {
    let equal = try await pages.run("sync a b --key code --delete --yes")
    #expect(equal.status == 0 && pages.readings("a") == 1 && pages.readings("b") == 1, "\(pages.requests)")
    pages.empty("b")
    let stable = try await pages.run("sync a b --key code --delete --yes", stability: "stable")
    #expect(stable.status == 0 && pages.readings("a") == 2 && pages.readings("b") == 2, "\(pages.requests)")
    #expect(pages.codes("b") == pages.codes("a"))
  }

  @Test("a row without a response that the list has passed over is not sent again") func lost() async throws {
    pages.empty("b")
    pages.keepSilent(at: 3...4)
    let rows = try pages.home.write("code\nc1\nc2\nc3\nc4\nc5\n", to: "rows.csv")
    let command = "import b \(rows) --jobs 1 --settle 0"
    let first = try await pages.run(command)
    #expect(first.status == 6, "\(first.errors)")
    pages.shift("b")
    let second = try await pages.run(command).succeeded()
    #expect(second.errors.contains("2 written, 0 not written"), "\(second.errors)")
    #expect(pages.writes.count == 5)
  }
}
