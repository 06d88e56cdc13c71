pub enum Shape {
    Circle { radius: f64 },
    Rectangle { width: f64, height: f64 },
    Triangle { base: f64, height: f64 },
}

impl Shape {
    pub fn area(&self) -> f64 {
        match self {
            Self::Circle { radius } => std::f64::consts::PI * radius * radius,
            Self::Rectangle { width, height } => width * height,
            Self::Triangle { base, height } => base * height / 2.0,
        }
    }

    pub fn name(&self) -> &'static str {
        match self {
            Self::Circle { .. } => "circle",
            Self::Rectangle { .. } => "rectangle",
            Self::Triangle { .. } => "triangle",
        }
    }
}

pub fn total(shapes: &[Shape]) -> f64 {
    shapes.iter().map(Shape::area).sum()
}
