// Entry point `runcell/sdk`: the SDK renderers, registered with the tool runtime like anybody's.
export type {
  SdkDetail,
  SdkErrorClass,
  SdkRenderer,
  SdkRenderOptions,
  SdkTool,
} from '../src/tools/sdk-renderer.ts'
export { typescriptSdk } from './typescript/renderer.ts'
