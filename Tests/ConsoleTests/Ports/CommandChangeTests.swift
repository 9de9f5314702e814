import BackendClient
import BackendKit
import TestSupport
import Testing

@testable import CommandLanguage
@testable import Console
@testable import ConsoleSetup
@testable import ConsoleSystem

/// The changes and output of commands, each run with its ports and without a session.
@Suite struct CommandChangeTests {
  let bench: CommandBench

  init() throws {
    bench = try CommandBench { configuration in
      for index in configuration.backends.indices {
        configuration.backends[index].login = LoginScheme(.oauth2(.init(.password, tokenURL: "/token")))
      }
    }
  }

  @Test(arguments: [
    ("use work", "choose work"), ("use work/todos", "choose work/todos"), ("use todos", "choose home/todos"),
  ])
  func `use returns what is chosen, and changes nothing itself`(_ line: String, _ change: String) async throws {
    let run = try await bench.run(line)
    #expect(run.changes.map(\.words) == [change])
    #expect(bench.targets.current?.backend == "home")
    #expect(bench.targets.current?.path == nil)
    #expect(run.output.isEmpty && run.errors.isEmpty)
    #expect(bench.service.requests.isEmpty)
  }

  @Test func `use refuses what names nothing`() async throws {
    let error = await #expect(throws: UsageError.self) { _ = try await bench.run("use nowhere") }
    #expect(error?.message == "unknown backend or resource \"nowhere\"")
  }

  @Test func `login and logout return who is logged in, and the password is a secret from then on`() async throws {
    bench.environment["SWITCHBOARD_PASSWORD"] = "correct-horse"
    let login = try await bench.run("login work ana")
    #expect(login.changes.map(\.words) == ["login work ana"])
    #expect(login.output == "logged in to work as ana\n")
    #expect(bench.service.activeLogin?.user == "ana")
    #expect(!bench.blanking.text("it is correct-horse").contains("correct-horse"))
    #expect(try await bench.run("whoami -o ndjson").output == "{\"user\":\"ana\"}\n")
    let logout = try await bench.run("logout work")
    #expect(logout.changes.map(\.words) == ["login work nobody"])
    #expect(logout.output == "logged out of work\n")
  }

  @Test func `login without a password sends nothing`() async throws {
    let error = await #expect(throws: UsageError.self) { _ = try await bench.run("login ana") }
    #expect(error?.message == "login needs a password")
    #expect(bench.service.activeLogin == nil)
  }

  @Test func `list returns where it stands, and next goes on there`() async throws {
    let list = try await bench.run("list -n 2 -o id")
    #expect(list.output == "0\n1\n")
    #expect(list.changes.map(\.words) == ["list from 1, page 1"])
    #expect(list.failure == nil)
    #expect(list.result.count == 2)
    #expect(list.result.records?.records.map { $0.id?.text } == ["0", "1"])
    #expect(bench.service.requests == ["GET /"])
    guard case .keepList(let state)? = list.changes.first else { return }
    bench.lastList = state
    let next = try await bench.run("next")
    #expect(next.output == "2\n")
    #expect(next.changes.map(\.words) == ["list from 3, page 2"])
  }

  @Test func `a list that is used is whole and has no pages`() async throws {
    let rows = RowBuffer(in: "/tmp")
    bench.rows = rows
    let list = try await bench.run("list")
    #expect(rows.count == 3)
    #expect(list.changes.map(\.words) == ["list none"])
    #expect(list.output.isEmpty)
    #expect(list.result.records == nil)
  }

  @Test func `a list that fails ends the pages of the one before`() async throws {
    bench.service.isDown = true
    let list = try await bench.run("list")
    #expect(list.changes.map(\.words) == ["list none"])
    #expect(list.failure is BackendError)
  }

  @Test func `a wrong option of list leaves the pages of the one before`() async throws {
    await #expect(throws: UsageError.self) { _ = try await bench.run("list nosuch=1") }
    await #expect(throws: UsageError.self) { _ = try await bench.run("next") }
    #expect(bench.service.requests.isEmpty)
  }

  @Test func `get shows a record, keeps it, and changes nothing`() async throws {
    let get = try await bench.run("get work/todos 1 --fields title -o ndjson")
    #expect(get.output == "{\"title\":\"tea\"}\n")
    #expect(get.changes.isEmpty)
    #expect(get.result.records?.isSingle == true)
    #expect(bench.targets.takePlace()?.path?.description == "todos")
    bench.lastResult = get.result.records
    #expect(try await bench.run("again json").output.contains("tea"))
    let error = await #expect(throws: BackendError.self) { _ = try await bench.run("get 7") }
    #expect(error?.code == .notFound)
  }

  @Test func `set returns other settings and leaves those of the run`() async throws {
    let run = try await bench.run("set perPage 5")
    guard case .set(let settings)? = run.changes.first else {
      Issue.record("nothing is set")
      return
    }
    #expect(settings.perPage == 5)
    #expect(bench.settings.perPage == 20)
    #expect(try await bench.run("show perPage").output == "20\n")
    await #expect(throws: UsageError.self) { _ = try await bench.run("set perPag 5") }
  }

  @Test func `source ends the run with its file, and fails with it`() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("quit\n", to: "a.sb")
    #expect(try await bench.run("source \(file)").changes.isEmpty)
    bench.nested.nested = (.quit, .success, nil)
    #expect(try await bench.run("source \(file)").changes.map(\.words) == ["quit"])
    bench.nested.nested = (.stopped, .failure, CommandFailure(.failure, "no such thing"))
    let error = await #expect(throws: CommandFailure.self) { _ = try await bench.run("source \(file)") }
    #expect(error?.message == "\(file) failed")
  }

  @Test func `create sends one record, and its effect is kept for the log`() async throws {
    let create = try await bench.run("create title=milk order=7")
    #expect(create.output == "created todos/3\n")
    #expect(create.changes.isEmpty)
    #expect(create.writes.tally.effect == .applied)
    #expect(bench.service.requests == ["POST /"])
    guard case .records(let records, count: 1, isSingle: true)? = create.result.value else {
      Issue.record("there is no record")
      return
    }
    #expect(records.first?.id?.text == "3")
  }

  @Test func `update sends what is changed, and a plan takes it in place of the service`() async throws {
    let update = try await bench.run("update work/todos 1 title=coffee")
    #expect(update.output == "updated todos/1: title\n")
    #expect(update.changes.isEmpty)
    #expect(bench.service.requests == ["PATCH /1"])
    bench.plan = PlanDraft()
    let planned = try await bench.run("update 1 2 title=coffee --yes")
    #expect(planned.output.isEmpty)
    #expect(planned.writes.tally.effect == nil)
    #expect(bench.plan?.summary.counts.words == "2 updates")
    #expect(!bench.service.requests.dropFirst().contains { !$0.hasPrefix("GET ") })
  }

  @Test func `what is answered decides about a deletion of several records`() async throws {
    let refusal = await #expect(throws: UsageError.self) { _ = try await bench.run("delete 1 2") }
    #expect(refusal?.message == "delete 2 records of home/todos needs --yes; nothing was sent")
    #expect(bench.service.requests.isEmpty)
    bench.answer = "n"
    let error = await #expect(throws: CommandFailure.self) { _ = try await bench.run("delete 1 2") }
    #expect(error?.message == "nothing was deleted")
    // The records are read for the question, which shows what they are.
    #expect(bench.service.requests.suffix(2) == ["GET /1", "GET /2"])
    #expect(bench.service.requests.allSatisfy { $0.hasPrefix("GET ") })
  }

  @Test func `quit returns the end of the run`() async throws {
    #expect(try await bench.run("quit").changes.map(\.words) == ["quit"])
  }
}

/// The changes that `add` makes, run with its ports and without a session.
@Suite struct AddEndingTests {
  let bench: CommandBench
  let folder: TemporaryFolder

  init() throws {
    bench = try CommandBench()
    folder = try TemporaryFolder()
    bench.environment = ["HOME": folder.path, "XDG_CONFIG_HOME": folder.path]
    bench.survey = ServiceSurvey(
      base: "/api", description: Object(), file: "switchboard: 1\n", claims: [], differences: [], notes: [], requests: 1
    )
  }

  @Test func `a service is added, although the failure tells of a record left behind`() async throws {
    bench.survey?.leftovers = ["items/9"]
    let run = try await bench.run("add http://127.0.0.1:9/api shop --yes")
    #expect(run.changes.map(\.words) == ["add shop"])
    #expect((run.failure as? CommandFailure)?.message.contains("items/9") == true)
    #expect(folder.holds("switchboard/services/shop.yaml"))
    #expect(bench.targets.configuration(of: "shop") == nil)
  }

  @Test func `the next command lists a resource that is not below another one`() async throws {
    bench.survey?.description = Object([
      ("resources", ["parts": ["operationsBelow": ["list"]], "items": [:]] as Value)
    ])
    #expect(try await bench.run("add http://127.0.0.1:9/api shop --yes").errors.contains("next: list shop/items\n"))
  }

  @Test func `nothing is added where the operator does not agree or is not there`() async throws {
    let error = await #expect(throws: UsageError.self) { _ = try await bench.run("add http://127.0.0.1:9/api shop") }
    #expect(error?.message == "sending up to 1 read to http://127.0.0.1:9 needs --yes")
    bench.answer = "n"
    let refusal = await #expect(throws: CommandFailure.self) {
      _ = try await bench.run("add http://127.0.0.1:9/api shop")
    }
    #expect(refusal?.message == "nothing was added")
    #expect(!folder.holds("switchboard"))
    bench.answer = "y"
    // Whoever types goes on with it.
    #expect(
      try await bench.run("add http://127.0.0.1:9/api shop").changes.map(\.words) == ["add shop", "choose shop"])
  }

  @Test func `a name that is taken is refused before anything is sent`() async throws {
    let error = await #expect(throws: UsageError.self) { _ = try await bench.run("add http://127.0.0.1:9/api home") }
    #expect(error?.message.hasPrefix("the backend home already exists in ") == true)
  }
}
