pub struct Shape {
    pub kind: String,
    pub numbers: Vec<f64>,
}

pub fn area(shape: &Shape) -> f64 {
    match shape.kind.as_str() {
        "circle" => std::f64::consts::PI * shape.numbers[0] * shape.numbers[0],
        "rectangle" => shape.numbers[0] * shape.numbers[1],
        "triangle" => shape.numbers[0] * shape.numbers[1] / 2.0,
        _ => panic!("no shape: {}", shape.kind),
    }
}

pub fn total(shapes: &[Shape]) -> f64 {
    shapes.iter().map(area).sum()
}
