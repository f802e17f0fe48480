//! Neovim, without a screen, drives the server: reports, hover, definition, rename. Where there is no `nvim`, this is
//! left out with a note.

use std::fs;
use std::process::Command;

use crate::common::scratch;

const TEXT: &str = "let twice n = n * 2\nlet six = twice 3\nlet wrong = six + \"a\"\n";

const SCRIPT: &str = r#"
local out = io.open('out.txt', 'w')
local function say(...) out:write(string.format(...), '\n') out:flush() end
vim.cmd('edit main.ml')
local buffer = vim.api.nvim_get_current_buf()
local id = vim.lsp.start_client({ name = 'oxbow', cmd = { vim.env.OXBOW, 'lsp' }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(buffer, id)
vim.wait(60000, function() return #vim.diagnostic.get(buffer) > 0 end, 50)
for _, it in ipairs(vim.diagnostic.get(buffer)) do say('report %s line %d', it.code, it.lnum) end
local function at(line, column)
  return { textDocument = vim.lsp.util.make_text_document_params(buffer), position = { line = line, character = column } }
end
local function ask(method, params)
  local found = vim.lsp.buf_request_sync(buffer, method, params, 60000)
  for _, it in pairs(found or {}) do return it.result end
end
say('hover %s', vim.inspect(ask('textDocument/hover', at(1, 10)).contents.value))
say('definition line %d', ask('textDocument/definition', at(1, 10))[1].range.start.line)
local params = at(1, 10)
params.newName = 'double'
vim.lsp.util.apply_workspace_edit(ask('textDocument/rename', params), 'utf-16')
say('renamed %s', table.concat(vim.api.nvim_buf_get_lines(buffer, 0, 2, false), ' | '))
vim.api.nvim_buf_set_lines(buffer, 2, 3, false, { 'let right = six' })
vim.wait(60000, function() return #vim.diagnostic.get(buffer) == 0 end, 50)
say('reports %d', #vim.diagnostic.get(buffer))
out:close()
vim.cmd('qall!')
"#;

#[test]
fn neovim_talks_to_the_server() {
    if Command::new("nvim").arg("--version").output().is_err() {
        eprintln!("note: there is no `nvim`; it is left out");
        return;
    }
    let folder = scratch("lsp", "neovim");
    fs::write(folder.join("main.ml"), TEXT).expect("writable");
    fs::write(folder.join("script.lua"), SCRIPT).expect("writable");
    let output = Command::new("nvim")
        .args(["--headless", "--clean", "-u", "NONE", "-S", "script.lua"])
        .current_dir(&folder)
        .env("OXBOW", env!("CARGO_BIN_EXE_oxbow"))
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .env("XDG_STATE_HOME", folder.join("state"))
        .output()
        .expect("it starts");
    let said = fs::read_to_string(folder.join("out.txt")).unwrap_or_default();
    let shown = format!("{said}\n{}", String::from_utf8_lossy(&output.stderr));
    for wanted in [
        "report E0113 line 2",
        "twice : int -> int",
        "definition line 0",
        "renamed let double n = n * 2 | let six = double 3",
        "reports 0",
    ] {
        assert!(said.contains(wanted), "no `{wanted}` in\n{shown}");
    }
}
