//! Parses commands that begin with a reserved word or a bracket: loops, conditions, groups, functions.

use std::rc::Rc;

use super::read::{Read, Reader, Unreadable};
use super::syntax::{Kind, Node};

impl Reader<'_> {
    /// Parses a compound command. Returns `None` for a simple command.
    pub(super) fn compound(&mut self) -> Read<Option<Kind>> {
        if self.rest().starts_with("((")
            && let Some(word) = self.try_arithmetic("))", 2)?
        {
            return Ok(Some(Kind::Arithmetic(word)));
        }
        if self.take("(") {
            let nodes = self.list()?;
            self.expect(")")?;
            return Ok(Some(Kind::Subshell(nodes)));
        }
        if self.take_word("{") {
            let nodes = self.list()?;
            self.expect("}")?;
            return Ok(Some(Kind::Group(nodes)));
        }
        if self.take_word("!") {
            return self.wrapped();
        }
        if self.take_word("time") {
            self.blanks();
            while self.take_word("-p") || self.take_word("--") {
                self.blanks();
            }
            if self.peek().is_none_or(|byte| b";\n)".contains(&byte)) {
                return Ok(Some(Kind::Group(Vec::new())));
            }
            return self.wrapped();
        }
        if self.take_word("if") {
            return self.conditional().map(Some);
        }
        if self.take_word("while") || self.take_word("until") {
            let condition = self.list()?;
            return Ok(Some(Kind::While(condition, self.do_block()?)));
        }
        if self.take_word("for") || self.take_word("select") {
            return self.for_loop().map(Some);
        }
        if self.take_word("case") {
            return self.case().map(Some);
        }
        if self.take_word("[[") {
            return self.test().map(Some);
        }
        if self.take_word("function") {
            self.blanks();
            let name = self.function_name()?;
            self.blanks();
            if self.take("(") {
                self.blanks();
                self.expect(")")?;
            }
            return self.function(name).map(Some);
        }
        Ok(None)
    }

    pub(super) fn wrapped(&mut self) -> Read<Option<Kind>> {
        Ok(Some(Kind::Plain(Box::new(self.command()?))))
    }

    pub(super) fn do_block(&mut self) -> Read<Vec<Node>> {
        self.lines()?;
        if self.take_word("{") {
            let nodes = self.list()?;
            self.expect("}")?;
            return Ok(nodes);
        }
        self.expect("do")?;
        let nodes = self.list()?;
        self.expect("done")?;
        Ok(nodes)
    }

    pub(super) fn conditional(&mut self) -> Read<Kind> {
        let mut arms = Vec::new();
        let mut otherwise = Vec::new();
        loop {
            let condition = self.list()?;
            self.expect("then")?;
            arms.push((condition, self.list()?));
            if self.take_word("elif") {
                continue;
            }
            if self.take_word("else") {
                otherwise = self.list()?;
            }
            self.expect("fi")?;
            return Ok(Kind::If(arms, otherwise));
        }
    }

    pub(super) fn for_loop(&mut self) -> Read<Kind> {
        self.blanks();
        if self.rest().starts_with("((") {
            let word = self.try_arithmetic("))", 2)?.ok_or(Unreadable("an unfinished loop"))?;
            self.blanks();
            self.take(";");
            return Ok(Kind::Count(word, self.do_block()?));
        }
        let name = self.word()?.literal().ok_or(Unreadable("a loop without a name"))?;
        self.lines()?;
        let mut words = None;
        if self.take_word("in") {
            let mut list = Vec::new();
            self.blanks();
            while self.peek().is_some_and(|byte| !b";\n&|)".contains(&byte)) {
                list.push(self.word()?);
                self.blanks();
            }
            words = Some(list);
        }
        self.blanks();
        self.take(";");
        Ok(Kind::For(name, words, self.do_block()?))
    }

    pub(super) fn case(&mut self) -> Read<Kind> {
        self.blanks();
        let subject = self.word()?;
        self.lines()?;
        self.expect("in")?;
        let mut arms = Vec::new();
        loop {
            self.lines()?;
            if self.take_word("esac") {
                return Ok(Kind::Case(subject, arms));
            }
            self.take("(");
            let mut patterns = Vec::new();
            loop {
                self.blanks();
                patterns.push(self.word()?);
                self.blanks();
                if !self.take("|") {
                    break;
                }
            }
            self.expect(")")?;
            arms.push((patterns, self.list()?));
            if !(self.take(";;&") || self.take(";;") || self.take(";&")) {
                self.lines()?;
                self.expect("esac")?;
                return Ok(Kind::Case(subject, arms));
            }
        }
    }

    /// Parses the operands of `[[ … ]]`, in which `<`, `>`, `(` and `&&` are operators.
    pub(super) fn test(&mut self) -> Read<Kind> {
        let mut words = Vec::new();
        loop {
            self.lines()?;
            if self.take_word("]]") {
                return Ok(Kind::Test(words));
            }
            match self.peek() {
                None => return Err(Unreadable("an unfinished [[")),
                Some(b'<' | b'>') if self.peek_at(1) == Some(b'(') => words.push(self.word()?),
                Some(b'<' | b'>' | b'(' | b')' | b'&' | b'|') => self.at += 1,
                Some(b';') => return Err(Unreadable("a `;` inside [[")),
                Some(_) => {
                    let before = self.at;
                    words.push(self.pattern_word()?);
                    if self.at == before {
                        return Err(Unreadable("an unfinished [["));
                    }
                }
            }
        }
    }

    pub(super) fn function_name(&mut self) -> Read<String> {
        let word = self.word()?;
        word.literal()
            .filter(|name| !name.is_empty())
            .ok_or(Unreadable("a function without a plain name"))
    }

    pub(super) fn function(&mut self, name: String) -> Read<Kind> {
        self.lines()?;
        let body = self.command()?;
        Ok(Kind::Function(name, Rc::new(body)))
    }
}
