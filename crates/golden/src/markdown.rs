//! Golden files: Markdown whose fenced blocks are a program and what is expected of it.

/// A golden file, in pieces that give back its text.
#[derive(Debug, PartialEq, Eq)]
pub struct Document {
    pub pieces: Vec<Piece>,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Piece {
    /// Prose, with its line breaks.
    Text(String),
    Fence(Fence),
}

/// A fenced block: its marks, the words behind them, and the lines within.
#[derive(Debug, PartialEq, Eq, Clone)]
pub struct Fence {
    marks: String,
    pub info: String,
    pub body: String,
}

impl Fence {
    /// The first word: what the block is.
    pub fn kind(&self) -> &str {
        self.info.split_whitespace().next().unwrap_or("")
    }

    /// The value of `name=value` among the other words.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.info.split_whitespace().skip(1).find_map(|it| it.strip_prefix(name)?.strip_prefix('='))
    }
}

impl Document {
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut prose = String::new();
        let mut lines = text.split_inclusive('\n').enumerate();
        while let Some((number, line)) = lines.next() {
            let marks: String = line.chars().take_while(|&it| it == '`').collect();
            if marks.len() < 3 {
                prose.push_str(line);
                continue;
            }
            if !prose.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut prose)));
            }
            let info = line[marks.len()..].trim().to_string();
            let mut body = String::new();
            loop {
                match lines.next() {
                    Some((_, line)) if line.trim_end() == marks => break,
                    Some((_, line)) => body.push_str(line),
                    None => return Err(format!("the block of line {} is not closed", number + 1)),
                }
            }
            pieces.push(Piece::Fence(Fence { marks, info, body }));
        }
        if !prose.is_empty() {
            pieces.push(Piece::Text(prose));
        }
        Ok(Self { pieces })
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(prose) => text += prose,
                Piece::Fence(fence) => {
                    text +=
                        &format!("{}{}\n{}{}\n", fence.marks, fence.info, fence.body, fence.marks);
                }
            }
        }
        text
    }

    pub fn fences(&self) -> impl Iterator<Item = &Fence> {
        self.pieces.iter().filter_map(|it| match it {
            Piece::Fence(fence) => Some(fence),
            Piece::Text(_) => None,
        })
    }

    pub fn fences_mut(&mut self) -> impl Iterator<Item = &mut Fence> {
        self.pieces.iter_mut().filter_map(|it| match it {
            Piece::Fence(fence) => Some(fence),
            Piece::Text(_) => None,
        })
    }

    /// The words behind `name:` at the start of a line of the prose before the first block.
    pub fn header(&self, name: &str) -> Vec<&str> {
        let Some(Piece::Text(prose)) = self.pieces.first() else { return Vec::new() };
        prose
            .lines()
            .filter_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
            .flat_map(|it| it.split(|it: char| it.is_whitespace() || it == ','))
            .filter(|it| !it.is_empty())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Title\n\ncovers: C7, F3\nflags: -O3\n\n```ocaml file=a.ml\nlet x = 1\n```\n````psg after=build func=f\n```\n````\nend\n";

    #[test]
    fn a_file_is_read_and_written() {
        let document = Document::parse(TEXT).expect("a good file");
        assert_eq!(document.text(), TEXT);
        assert_eq!(document.header("covers"), ["C7", "F3"]);
        assert_eq!(document.header("flags"), ["-O3"]);
        let fences: Vec<_> = document.fences().collect();
        assert_eq!(fences[0].kind(), "ocaml");
        assert_eq!(fences[0].attribute("file"), Some("a.ml"));
        assert_eq!(fences[1].attribute("func"), Some("f"));
        assert_eq!(fences[1].body, "```\n");
    }

    #[test]
    fn an_open_block() {
        assert!(Document::parse("```ocaml\nlet\n").is_err());
    }
}
