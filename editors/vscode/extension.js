// Starts `oxbow lsp` and hands it the documents of its languages.
const { workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

exports.activate = () => {
  const settings = workspace.getConfiguration('oxbow');
  const folders = settings.get('folders').flatMap((it) => ['-I', it]);
  const server = { command: settings.get('path'), args: ['lsp', ...folders] };
  const languages = ['ocaml', 'ocaml.interface', 'clef', 'eshkol'];
  client = new LanguageClient('oxbow', 'Oxbow', server, {
    documentSelector: languages.map((language) => ({ scheme: 'file', language })),
    initializationOptions: { hints: settings.get('hints') },
    synchronize: {
      configurationSection: 'oxbow',
      fileEvents: workspace.createFileSystemWatcher('**/*.{ml,mli,clef,fs,fidproj,esk,scm}'),
    },
  });
  return client.start();
};

exports.deactivate = () => client && client.stop();
