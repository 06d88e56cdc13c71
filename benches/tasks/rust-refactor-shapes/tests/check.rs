mod shapes;

use shapes::{Shape, total};

#[test]
fn areas_and_names() {
    let shapes = [
        Shape::Circle { radius: 2.0 },
        Shape::Rectangle { width: 2.0, height: 3.0 },
        Shape::Triangle { base: 4.0, height: 5.0 },
    ];
    assert!((shapes[0].area() - 12.566_370_614).abs() < 1e-6);
    assert_eq!(shapes[1].area(), 6.0);
    assert_eq!(shapes[2].area(), 10.0);
    let names: Vec<&str> = shapes.iter().map(Shape::name).collect();
    assert_eq!(names, ["circle", "rectangle", "triangle"]);
    assert!((total(&shapes) - 28.566_370_614).abs() < 1e-6);
    assert_eq!(total(&[]), 0.0);
}
