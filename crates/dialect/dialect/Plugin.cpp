// Lets the distribution's own tools load the dialect: `mlir-opt --load-dialect-plugin=…`.

#include "mlir-c/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"

extern "C" void oxbowRegisterOcaml(MlirDialectRegistry registry);

extern "C" LLVM_ATTRIBUTE_WEAK ::mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Ocaml", "0.1", [](mlir::DialectRegistry *registry) {
            oxbowRegisterOcaml(wrap(registry));
          }};
}
