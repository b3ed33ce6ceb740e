/* For wine 8, which has no such library: what Rust's standard library takes from it. Tests only. */
#include <windows.h>

/* RtlGenRandom, under the name by which it is exported. */
BOOLEAN NTAPI SystemFunction036(PVOID bytes, ULONG count);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count)
{
    return SystemFunction036(bytes, (ULONG)count);
}

BOOL WINAPI DllMain(HINSTANCE library, DWORD reason, LPVOID reserved)
{
    (void)library;
    (void)reason;
    (void)reserved;
    return TRUE;
}
