// A server of tools that wants a sign-in, and the place where one signs in for it: published packages alone, on this machine alone.
// node mcp-oauth.mjs DIR, where DIR is what `mcp-servers` filled. What happens is told on standard output, one JSON object a line; what is
// wanted of it is written to standard input, one line each: `ttl SECONDS`, `audience ADDRESS`, `revoke`.
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const packages = `${process.argv[2]}/npm/node_modules`;
const load = (path) => import(pathToFileURL(`${packages}/${path}`));
const sdk = '@modelcontextprotocol/sdk/dist/esm/server';
const { default: Provider } = await load('oidc-provider/lib/index.js');
const { default: express } = await load('express/index.js');
const { McpServer } = await load(`${sdk}/mcp.js`);
const { StreamableHTTPServerTransport } = await load(`${sdk}/streamableHttp.js`);
const { requireBearerAuth } = await load(`${sdk}/auth/middleware/bearerAuth.js`);
const { InvalidTokenError } = await load(`${sdk}/auth/errors.js`);
const { z } = await load('zod/index.js');

// What the packages say of themselves is nothing that happened.
console.log = console.info = console.error;
const tell = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);
const listening = async () => {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return [server, `http://127.0.0.1:${server.address().port}`];
};
const [place, issuer] = await listening();
const [tools, origin] = await listening();
const resource = `${origin}/mcp`;
const wanted = { ttl: 3600, audience: resource };
const grants = new Set();

const provider = new Provider(issuer, {
  scopes: ['offline_access', 'tools'],
  cookies: { keys: ['a key of the tests'] },
  clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
  pkce: { required: () => true },
  rotateRefreshToken: true,
  ttl: { AccessToken: () => wanted.ttl, RefreshToken: 86400, Grant: 86400, Session: 86400, Interaction: 600 },
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  interactions: { url: (_, interaction) => `/agree/${interaction.uid}` },
  features: {
    devInteractions: { enabled: false },
    registration: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: () => ({
        scope: 'tools',
        audience: wanted.audience,
        accessTokenFormat: 'opaque',
        accessTokenTTL: wanted.ttl,
      }),
      useGrantedResource: () => true,
    },
  },
});
// A person who says yes to whatever is asked of them.
provider.use(async (ctx, next) => {
  if (!ctx.path.startsWith('/agree/')) return next();
  const { prompt, params } = await provider.interactionDetails(ctx.req, ctx.res);
  tell({ asked: prompt.name, scope: params.scope, resource: params.resource, prompt: params.prompt });
  if (prompt.name === 'login') {
    return provider.interactionFinished(ctx.req, ctx.res, { login: { accountId: 'someone' } });
  }
  const grant = new provider.Grant({ accountId: 'someone', clientId: params.client_id });
  grant.addOIDCScope(params.scope);
  grant.addResourceScope(params.resource, 'tools');
  return provider.interactionFinished(ctx.req, ctx.res, { consent: { grantId: await grant.save() } });
});
for (const event of ['registration_create.success', 'grant.success', 'grant.error', 'grant.revoked', 'authorization.error']) {
  provider.on(event, (ctx, error) => {
    if (ctx.oidc?.entities?.Grant) grants.add(ctx.oidc.entities.Grant.jti);
    tell({ event, by: ctx.oidc?.params?.grant_type, why: error?.error_description ?? error?.message });
  });
}
provider.on('server_error', (_, error) => tell({ event: 'server_error', why: `${error.stack}` }));
place.on('request', provider.callback());

const verifier = {
  async verifyAccessToken(token) {
    const found = await provider.AccessToken.find(token);
    tell({ shown: found ? (found.aud === resource ? 'good' : 'of another audience') : 'unknown' });
    if (found?.aud !== resource) throw new InvalidTokenError('no token of this server');
    return { token, clientId: found.clientId, scopes: ['tools'], expiresAt: found.exp, resource: new URL(found.aud) };
  },
};
const app = express();
const about = '/.well-known/oauth-protected-resource/mcp';
app.get(about, (_, res) => {
  res.json({ resource, authorization_servers: [issuer], scopes_supported: ['tools'] });
});
app.use('/mcp', requireBearerAuth({ verifier, requiredScopes: ['tools'], resourceMetadataUrl: `${origin}${about}` }));
app.post('/mcp', express.json(), async (req, res) => {
  const server = new McpServer({ name: 'behind a sign-in', version: '1' });
  const said = (text) => ({ content: [{ type: 'text', text }] });
  server.registerTool('echo', { inputSchema: { text: z.string() } }, async ({ text }) => said(`${text}!`));
  server.registerTool('repeat', { inputSchema: {} }, async (_, { authInfo }) => said(`sent: ${authInfo.token}`));
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  res.on('close', () => server.close());
  await server.connect(transport);
  await transport.handleRequest(req, res, req.body);
});
app.use((_, res) => res.status(405).end());
tools.on('request', app);

createInterface({ input: process.stdin })
  .on('line', async (line) => {
    const [what, value] = line.split(' ');
    if (what === 'ttl') wanted.ttl = Number(value);
    if (what === 'audience') wanted.audience = value || resource;
    if (what === 'revoke') {
      for (const id of grants) {
        for (const kind of [provider.AccessToken, provider.RefreshToken]) await kind.revokeByGrantId(id);
        await (await provider.Grant.find(id))?.destroy();
      }
    }
    tell({ did: line });
  })
  .on('close', () => process.exit(0));
tell({ server: resource });
