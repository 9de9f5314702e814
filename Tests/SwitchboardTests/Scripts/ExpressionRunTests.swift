import ConsoleSupport
import Testing

/// The expressions of commands, run.
@Suite("Expressions in commands") struct ExpressionRunTests {
  private func run(_ script: String) async throws -> ConsoleRun {
    try await World(["k": .kitura], seed: 6).run(script + "\n")
  }

  @Test("a computed change reads the record") func change() async throws {
    try await run(
      """
      create title="  Milk " user=ana order=7 --yes
      set @id $last.id
      update $id order:=(order * 2 + 1) title:=(upper(trim(title)) + '!') --yes
      get $id
      expect $last.order = 15
      expect $last.title = "MILK!"
      update $id title:=($1 ?? "Bread") --yes
      get $id
      expect $last.title = Bread
      """
    ).succeeded()
  }

  @Test("a computed change of many shows and writes what it comes to for each") func selection() async throws {
    try await run(
      """
      create title=a user=zoe order=1
      create title=b user=zoe order=2
      update order:=(order + 10) --where "upper(user) = ZOE and order * 2 < 5" --yes
      expect (list user=zoe order=11) = 1
      expect (list user=zoe order=12) = 1
      """
    ).succeeded()
  }

  @Test("a record of which a condition cannot be computed is reported by its identifier") func failure() async throws {
    try await run("list --where \"number(title) > 3\"").failed(5, saying: "number(…) needs a number")
  }

  @Test("a change that cannot be computed is reported and not sent") func failedChange() async throws {
    let run = try await run("create title=x user=ana order=1\nupdate $last.id order:=(title * 2) --yes")
    #expect(run.status != 0 && run.errors.contains("order: title is not a number: \"x\""), "\(run.errors)")
    let joined = try await self.run("update 1 order:=(order*2) --yes")
    #expect(joined.errors.contains("hint: blanks around an operator compute: order * 2"), "\(joined.errors)")
  }

  @Test("a new record has no fields to compute of") func creation() async throws {
    try await run("create title:=(lower('ABC') + 1) user=ana order:=(1 + 1)\nexpect $last.title = abc1")
      .succeeded()
    let refused = try await self.run("create title:=(user + 'x') user=ana order=1")
    #expect(refused.status != 0 && refused.errors.contains("there is no record to read it from"), "\(refused.errors)")
  }

  @Test("a row that a mapping cannot compute is named, and nothing is sent") func mapping() async throws {
    let world = try await World(["k": .kitura], seed: 6)
    let rows = try world.home.write("title,user,qty\na,ana,3\nb,ana,many\n", to: "rows.csv")
    let run = try await world.run("import \(rows) --map \"order=qty * 2, qty=\" --yes\n")
    #expect(run.status == 2 && run.errors.contains("rows.csv:3"), "\(run.output) \(run.errors)")
    #expect(run.errors.contains("order: qty is not a number: \"many\""), "\(run.errors)")
  }
}
