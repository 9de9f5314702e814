import Testing

@Suite("Baasic: access lists")
struct BaasicAccessTests {
  @Test(arguments: rows) func lists(_ row: Row) async throws { try await row.check() }

  static let rows = Table.baasic.rows(
    #"""
    # a list is read, added to and taken from, and goes with its record
    GET /resources/todo?rpp=1  < 200  id := .item.0.id
    GET /resources/todo/{id}/acl/  < 200  .*.action.name ["Create","Delete","Read","Update"]  .*.user.name []
      .*.role.name ["Administrators","Administrators","Administrators","Administrators"]
    PUT /resources/todo/{id}/acl [{"actionId":"Read","userId":"bo"}]  < 201  . #1
      .0.action.name "Read"  .0.user.name "bo"  .0.role.name none
    GET /resources/todo/{id}/acl  < 200  .*.action.name ["Create","Delete","Read","Update","Read"]
      .*.role.name ["Administrators","Administrators","Administrators","Administrators"]
      .*.user.name ["bo"]  .4.user.name "bo"  .4.role.name none
    DELETE /resources/todo/{id}/acl/actions/Read/users/bo/ ""  < 204  =
    DELETE /resources/todo/{id}/acl/actions/Delete/roles/Administrators ""  < 204
    GET /resources/todo/{id}/acl  < 200  . #3
    DELETE /resources/todo/{id} ""  < 204
    GET /resources/todo/{id}/acl  < 404  problem {id}
    # what is not a policy, and whom nobody knows, is refused
    GET /resources/todo?rpp=1  < 200  id := .item.0.id
    PUT /resources/todo/{id}/acl {"actionId":"Read","roleId":"Readers"}  < 400  problem
    PUT /resources/todo/{id}/acl []  < 400  problem
    PUT /resources/todo/{id}/acl [{"actionId":"Read"}]  < 400  problem
    PUT /resources/todo/{id}/acl [{"roleId":"Readers"}]  < 400  problem
    PUT /resources/todo/{id}/acl [{"actionId":"Fly","roleId":"Readers"}]  < 400  problem
    POST /resources/todo/{id}/acl []  < 405  problem
    DELETE /resources/todo/{id}/acl/actions/Read/roles/Readers ""  < 404  problem
    DELETE /resources/todo/{id}/acl/actions/Read/groups/x ""  < 404  problem
    GET /resources/todo/{id}/acl/actions ""  < 404  problem
    """#)
}
