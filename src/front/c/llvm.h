// SPDX-License-Identifier: Apache-2.0
// LLVM's C interface, loaded when it is first asked for: a program of 100 MB that most runs do not
// need. Only the bitcode*.c files include this.
#pragma once

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include <stdbool.h>

// One row for each function used, without its "LLVM".
#define LLVM_FUNCTIONS(F)                                                                          \
  F(ABISizeOfType)                                                                                 \
  F(ConstIntGetSExtValue)                                                                          \
  F(ContextCreate)                                                                                 \
  F(ContextDispose)                                                                                \
  F(ContextSetDiagnosticHandler)                                                                   \
  F(CountIncoming)                                                                                 \
  F(CountParams)                                                                                   \
  F(CountStructElementTypes)                                                                       \
  F(CreateMemoryBufferWithMemoryRangeCopy)                                                         \
  F(DIFileGetFilename)                                                                             \
  F(DILocationGetColumn)                                                                           \
  F(DILocationGetLine)                                                                             \
  F(DILocationGetScope)                                                                            \
  F(DIScopeGetFile)                                                                                \
  F(DISubprogramGetLine)                                                                           \
  F(DITypeGetName)                                                                                 \
  F(DITypeGetOffsetInBits)                                                                         \
  F(DITypeGetSizeInBits)                                                                           \
  F(DIVariableGetFile)                                                                             \
  F(DIVariableGetLine)                                                                             \
  F(DisposeMemoryBuffer)                                                                           \
  F(DisposeMessage)                                                                                \
  F(DisposeModule)                                                                                 \
  F(DisposeValueMetadataEntries)                                                                   \
  F(GetAllocatedType)                                                                              \
  F(GetArrayLength)                                                                                \
  F(GetAtomicRMWBinOp)                                                                             \
  F(GetBasicBlockName)                                                                             \
  F(GetBasicBlockTerminator)                                                                       \
  F(GetCalledValue)                                                                                \
  F(GetCondition)                                                                                  \
  F(GetConstOpcode)                                                                                \
  F(GetElementAsConstant)                                                                          \
  F(GetElementType)                                                                                \
  F(GetEnumAttributeAtIndex)                                                                       \
  F(GetEnumAttributeKindForName)                                                                   \
  F(GetFirstBasicBlock)                                                                            \
  F(GetFirstFunction)                                                                              \
  F(GetFirstGlobal)                                                                                \
  F(GetFirstInstruction)                                                                           \
  F(GetFirstUse)                                                                                   \
  F(GetGEPSourceElementType)                                                                       \
  F(GetICmpPredicate)                                                                              \
  F(GetIncomingBlock)                                                                              \
  F(GetIncomingValue)                                                                              \
  F(GetIndices)                                                                                    \
  F(GetInitializer)                                                                                \
  F(GetInstructionOpcode)                                                                          \
  F(GetInstructionParent)                                                                          \
  F(GetIntTypeWidth)                                                                               \
  F(GetMDNodeNumOperands)                                                                          \
  F(GetMDNodeOperands)                                                                             \
  F(GetMDString)                                                                                   \
  F(GetMetadataKind)                                                                               \
  F(GetModuleDataLayout)                                                                           \
  F(GetNamedGlobal)                                                                                \
  F(GetNextBasicBlock)                                                                             \
  F(GetNextFunction)                                                                               \
  F(GetNextGlobal)                                                                                 \
  F(GetNextInstruction)                                                                            \
  F(GetNextUse)                                                                                    \
  F(GetNumArgOperands)                                                                             \
  F(GetNumIndices)                                                                                 \
  F(GetNumOperands)                                                                                \
  F(GetNumSuccessors)                                                                              \
  F(GetOperand)                                                                                    \
  F(GetParam)                                                                                      \
  F(GetReturnType)                                                                                 \
  F(GetStructName)                                                                                 \
  F(GetSubprogram)                                                                                 \
  F(GetSuccessor)                                                                                  \
  F(GetTypeAttributeValue)                                                                         \
  F(GetTypeKind)                                                                                   \
  F(GetUser)                                                                                       \
  F(GetValueKind)                                                                                  \
  F(GetValueName2)                                                                                 \
  F(GlobalCopyAllMetadata)                                                                         \
  F(GlobalGetValueType)                                                                            \
  F(InstructionGetDebugLoc)                                                                        \
  F(IntTypeInContext)                                                                              \
  F(IsAConstantExpr)                                                                               \
  F(IsAConstantInt)                                                                                \
  F(IsDeclaration)                                                                                 \
  F(IsFunctionVarArg)                                                                              \
  F(IsGlobalConstant)                                                                              \
  F(IsNull)                                                                                        \
  F(IsOpaqueStruct)                                                                                \
  F(IsUndef)                                                                                       \
  F(MetadataAsValue)                                                                               \
  F(OffsetOfElement)                                                                               \
  F(ParseBitcodeInContext2)                                                                        \
  F(PrintValueToString)                                                                            \
  F(StructGetTypeAtIndex)                                                                          \
  F(TypeOf)                                                                                        \
  F(ValueAsMetadata)                                                                               \
  F(ValueMetadataEntriesGetMetadata)                                                               \
  F(VoidTypeInContext)

struct llvm {
#define LLVM_FIELD(name) __typeof__(LLVM##name) *name;
  LLVM_FUNCTIONS(LLVM_FIELD)
#undef LLVM_FIELD
};

// False with a sentence that lives for ever when it cannot be had.
bool llvm_open(struct llvm *l, const char **why);
