-- What is shown between the text, if hints are enabled: also 'captures' and 'storage'.
local options = { hints = { 'types' } }

-- Starts `oxbow lsp` for OCaml, Clef (F#) and Eshkol (Scheme).
vim.filetype = vim.filetype or {}
if vim.filetype.add then
  vim.filetype.add({ extension = { clef = 'fsharp', fs = 'fsharp', esk = 'scheme', scm = 'scheme' } })
end

vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile' }, {
  pattern = { '*.ml', '*.mli', '*.clef', '*.fs', '*.esk', '*.scm' },
  callback = function(event)
    local folder = vim.fn.fnamemodify(event.file, ':p:h')
    if vim.lsp.start then
      vim.lsp.start({ name = 'oxbow', cmd = { 'oxbow', 'lsp' }, root_dir = folder, init_options = options })
    else
      vim.g.oxbow_client = vim.g.oxbow_client
        or vim.lsp.start_client({ name = 'oxbow', cmd = { 'oxbow', 'lsp' }, root_dir = folder, init_options = options })
      vim.lsp.buf_attach_client(event.buf, vim.g.oxbow_client)
    end
    local map = function(keys, what)
      vim.keymap.set('n', keys, what, { buffer = event.buf })
    end
    map('K', vim.lsp.buf.hover)
    map('gd', vim.lsp.buf.definition)
    map('gr', vim.lsp.buf.references)
    map('<leader>rn', vim.lsp.buf.rename)
    map('<leader>ca', vim.lsp.buf.code_action)
    vim.bo[event.buf].omnifunc = 'v:lua.vim.lsp.omnifunc'
  end,
})
