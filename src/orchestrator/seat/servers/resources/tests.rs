use super::*;

fn known() -> Vec<(ServerName, Arc<[OfferedResource]>)> {
    let one = |uri: &str, title: &str| OfferedResource {
        uri: uri.to_owned(),
        title: title.to_owned(),
        kind: match uri.contains('{') {
            true => ResourceKind::Template,
            false => ResourceKind::Whole,
        },
    };
    let tables = [
        one("db://shop/orders/schema", "orders"),
        one("db://shop/users/schema", "everybody who signed up"),
        one("db://shop/{table}/rows", "rows of a table"),
    ];
    let name = |name: &str| ServerName(name.to_owned());
    vec![
        (name("db"), tables.into()),
        (name("docs"), [one("docs://users", "the guide")].into()),
        (name("empty"), [].into()),
    ]
}

fn names(query: &str) -> Vec<String> {
    let found = fitting(&known(), query, 20);
    found.rows.into_iter().map(|row| row.name).collect()
}

#[test]
fn behind_the_name_of_a_server_letters_match_anywhere_in_an_address_or_a_title() {
    assert_eq!(names("db:users"), ["db:db://shop/users/schema"]);
    assert_eq!(names("db:USch"), ["db:db://shop/users/schema"]);
    assert_eq!(names("db:signed"), ["db:db://shop/users/schema"]);
    assert_eq!(
        names("db:db://shop/o")[0],
        "db:db://shop/orders/schema",
        "what begins so is first"
    );
    assert_eq!(names("db:").len(), 3);
    let missed = fitting(&known(), "db:xyz", 20);
    assert_eq!(
        (missed.of, missed.rows),
        (Some(ServerName("db".to_owned())), Vec::new())
    );
    assert_eq!(fitting(&known(), "empty:", 20).of, Some(ServerName("empty".to_owned())));
    assert_eq!(fitting(&known(), "src:main", 20), FoundResources::default());
}

#[test]
fn where_nothing_is_typed_each_server_that_has_resources_is_one_row() {
    assert_eq!(names(""), ["db:", "docs:"]);
    let rows = fitting(&known(), "", 20).rows;
    assert_eq!(rows[0].kind, FoundKind::Server { count: 3 });
    assert_eq!(names("d")[..2], ["db:", "docs:"], "and while its name is typed");
    let mut users = names("users");
    users.sort();
    assert_eq!(users, ["db:db://shop/users/schema", "docs:docs://users"]);
}
