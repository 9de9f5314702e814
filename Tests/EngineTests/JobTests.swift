import AdapterSupport
import BackendClient
import BackendKit
import Synchronization
import Testing

/// Writes that a service accepts and does later.
@Suite struct JobTests {
  private func job() -> Service.Job {
    var job = Service.Job(state: ["status"])
    (job.pending, job.done, job.failed) = (["running"], ["done"], ["failed"])
    (job.result, job.message, job.interval) = (["target"], ["reason"], .milliseconds(1))
    return job
  }

  private func create(
    _ server: TrapServer, _ trap: String, _ job: Service.Job, with options: CallOptions = CallOptions()
  ) async throws(BackendError) -> WriteReceipt {
    let client: Client
    do {
      client = try server.client(trap) { ($0.creating, $0.job) = (Service.Creating(mayAnswerNothing: true), job) }
    } catch {
      throw BackendError(.invalid, "\(error)", effect: .notSent)
    }
    return try await client.perform(.create(things, ["name": "x"]), with: options)
  }

  @Test func `a job is followed until it is done, and its record is read`() async throws {
    let server = try await TrapServer()
    let receipt = try await create(server, "job", job())
    #expect(receipt.id == "4" && receipt.record?.fields["name"] == "x")
    #expect(
      try await server.log() == [
        #"POST /job/things {"name":"x"}"#, "GET /job/tasks/1", "GET /job/tasks/1", "GET /job/things/4",
      ])
  }

  @Test func `a job that fails is a write that was refused, with the service's words`() async throws {
    let server = try await TrapServer()
    let error = await failure { () async throws(BackendError) in _ = try await create(server, "jobfails", job()) }
    #expect(error?.effect == .rejected)
    #expect(error?.message == "the server could not do it: disk full")
  }

  @Test func `a job that is not done in time leaves the outcome unknown, and its address is named`() async throws {
    let server = try await TrapServer()
    var job = job()
    job.patience = .milliseconds(200)
    let error = await failure { () async throws(BackendError) in _ = try await create(server, "jobforever", job) }
    #expect(error?.code == .timedOut && error?.effect == .unknown)
    #expect(error?.cause == "GET /jobforever/tasks/1")
  }

  @Test func `waiting for a job ends with the command, and the outcome is unknown`() async throws {
    let server = try await TrapServer()
    let task = Task {
      await failure { () async throws(BackendError) in _ = try await create(server, "jobforever", job()) }
    }
    while try await server.log().count < 2 { await Task.yield() }
    task.cancel()
    let error = await task.value
    #expect(error?.code == .cancelled && error?.effect == .unknown)
  }

  @Test func `who waits is told how far the job is`() async throws {
    let server = try await TrapServer()
    let told = Mutex<[String]>([])
    var job = job()
    job.progress = ["percent"]
    var options = CallOptions()
    options.jobs = JobWait { words in told.withLock { $0.append(words) } }
    _ = try await create(server, "job", job, with: options)
    #expect(told.withLock(\.self) == ["running, 50"])
  }

  @Test func `a write need not wait, and its job can be followed later by its address`() async throws {
    let server = try await TrapServer()
    let client = try server.client("job") { ($0.creating, $0.job) = (Service.Creating(mayAnswerNothing: true), job()) }
    let error = await failure { () async throws(BackendError) in
      var options = CallOptions()
      options.jobs.waits = false
      _ = try await client.perform(.create(things, ["name": "x"]), with: options)
    }
    #expect(error?.effect == .unknown && error?.code == .timedOut)
    let address = try #require(error?.job)
    let early = await failure { () async throws(BackendError) in
      _ = try await client.follow(address, in: things, patience: .zero)
    }
    #expect(early?.effect == .unknown && early?.job == address)
    #expect(try await client.follow(address, in: things, patience: .seconds(600))?.id == "4")
  }

  @Test func `a job is looked at again after a moment, however soon the service wants it`() async throws {
    let server = try await TrapServer()
    var job = job()
    (job.interval, job.patience) = (.seconds(5), .milliseconds(900))
    let error = await failure { () async throws(BackendError) in _ = try await create(server, "jobforever", job) }
    #expect(error?.code == .timedOut)
    #expect(try await server.log() == [#"POST /jobforever/things {"name":"x"}"#])
  }

  @Test func `a job that is done at once is not waited for as long as its interval`() async throws {
    let server = try await TrapServer()
    var job = job()
    // A pause of the interval would not end before the time is up.
    (job.interval, job.patience) = (.seconds(3600), .seconds(25))
    #expect(try await create(server, "job", job).id == "4")
  }

  @Test func `a job without an address leaves the outcome unknown`() async throws {
    let server = try await TrapServer()
    var job = job()
    job.address = .member(["href"])
    let error = await failure { () async throws(BackendError) in _ = try await create(server, "jobfails", job) }
    #expect(error?.effect == .unknown)
  }
}
