//! `#if` and its conditions. A program is compiled, never interpreted: `COMPILED` holds, and other symbols do not.

const KNOWN: &[&str] = &["COMPILED"];

/// Is this line a directive?
pub fn begins(rest: &str) -> bool {
    const WORDS: &[&str] =
        &["if", "else", "endif", "nowarn", "light", "r", "load", "region", "endregion", "line"];
    let Some(line) = rest.strip_prefix('#') else { return false };
    let end = line.find(|it: char| !it.is_alphanumeric()).unwrap_or(line.len());
    WORDS.contains(&&line[..end])
}

/// Does a condition hold?
pub fn holds(condition: &str) -> bool {
    let text = condition.split("//").next().unwrap_or("");
    let mut reader = Reader { rest: text };
    reader.any()
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn accept(&mut self, mark: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(mark) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn any(&mut self) -> bool {
        let mut value = self.all();
        while self.accept("||") {
            value |= self.all();
        }
        value
    }

    fn all(&mut self) -> bool {
        let mut value = self.one();
        while self.accept("&&") {
            value &= self.one();
        }
        value
    }

    fn one(&mut self) -> bool {
        if self.accept("!") {
            return !self.one();
        }
        if self.accept("(") {
            let value = self.any();
            self.accept(")");
            return value;
        }
        self.rest = self.rest.trim_start();
        let is_name = |it: char| it.is_alphanumeric() || it == '_';
        let end = self.rest.find(|it| !is_name(it)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        KNOWN.contains(&name)
    }
}

#[cfg(test)]
mod tests {
    use super::holds;

    #[test]
    fn conditions_are_read_as_written() {
        assert!(holds(" COMPILED"));
        assert!(!holds(" DEBUG"));
        assert!(holds(" !DEBUG && (COMPILED || TRACE) // always"));
        assert!(!holds(" !(COMPILED || DEBUG)"));
    }
}
